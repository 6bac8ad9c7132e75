package import AccessoryModel
internal import HAPCore
internal import HAPServer
package import Simulation

/// Actions of users and scenarios on the servers of a host.
extension AccessoryHost {
    /// Performs an action, and returns a description of what was done.
    ///
    /// Actions that change time wait for their turn.
    ///
    /// - Throws: ``SimulationError`` for an unknown name, an action that is refused, or if the task is cancelled before
    ///   the action is complete.
    package func perform(_ action: SimulationAction) async throws(SimulationError) -> String {
        try names.check(action)
        switch action {
        case .set(let target, let text): return try await set(target, text)
        case .press(let target, let press):
            return try await command(.press(press), on: target, "\(Self.pressTexts[press] ?? "Pressed")")
        case .stop(let target): return try await command(.stop, on: target, "Stopped")
        case .obstruct(let target): return try await command(.obstruct, on: target, "Obstructed")
        case .clearObstruction(let target):
            return try await command(.clearObstruction, on: target, "Obstruction cleared:")
        case .plug(let target): return try await command(.plug, on: target, "Plugged in")
        case .unplug(let target): return try await command(.unplug, on: target, "Unplugged")
        case .fault(let request): return try await inject(request)
        case .clear(let name, let target): return try await clearFaults(name, target)
        case .advance(let duration):
            try await advance(by: duration)
            return "Time advanced by \(ScenarioText.duration(duration))."
        case .pause:
            try await changeClocksInTurn { clock, now in clock.pause(at: now) }
            return "Time is paused."
        case .resume:
            try await changeClocksInTurn { clock, now in clock.resume(at: now) }
            return "Time continues."
        case .scale(let scale):
            try await changeClocksInTurn { clock, now in clock.setScale(scale, at: now) }
            return "Time passes \(scale) times as fast."
        case .log(let text): return text
        case .arrive, .leave: throw .noHome
        }
    }

    // MARK: Values

    /// Returns the current values of characteristics.
    package func values(of places: some Sequence<ServerCharacteristicID>) async -> [ServerCharacteristicID:
        CharacteristicValue]
    {
        var values: [ServerCharacteristicID: CharacteristicValue] = [:]
        for place in places {
            values[place] = await self[place.server]?.server.value(of: place.id)
        }
        return values
    }

    /// Returns the values and readings of an object, one per line: `Garage Door/Current Door State: Open`.
    ///
    /// - Parameter object: The object to show; `nil` for everything that is simulated.
    package func statusLines(of object: SimulationObject?) async -> [String] {
        var lines: [String] = []
        let names = names
        let wanted = object.map { names.characteristics(in: $0) }
        for hosted in servers where object == nil || object?.server == hosted.id {
            for accessory in hosted.names.accessories {
                for service in accessory.services {
                    let isShown = object == nil ? service.isSimulated : true
                    guard isShown else { continue }
                    var isAny = false
                    for characteristic in service.characteristics where characteristic.permissions.contains(.read) {
                        let id = ServerCharacteristicID(server: hosted.id, characteristic.id)
                        guard wanted?.contains(id) ?? true else { continue }
                        let value = await hosted.server.value(of: characteristic.id)
                        let name = names.text(of: .characteristic(id))
                        lines.append("\(name): \(characteristic.descriptor.text(of: value))")
                        isAny = true
                    }
                    guard isAny else { continue }
                    let name = names.text(of: .service(server: hosted.id, accessory.aid, service.key))
                    for reading in await hosted.server.readings(of: service.key, in: accessory.aid) {
                        let number = JSONNumber((reading.value * 100).rounded() / 100)?.description ?? "–"
                        lines.append("\(name), \(reading.name): \(number) \(reading.unit)")
                    }
                }
            }
        }
        return lines
    }

    // MARK: -

    private static let pressTexts: [ButtonPress: String] = [
        .single: "Pressed", .double: "Double-pressed", .long: "Long-pressed",
    ]

    private func set(_ target: SimulationTarget, _ text: String) async throws(SimulationError) -> String {
        let names = names
        let (place, characteristic) = try names.characteristic(target)
        let value = try SimulationNames.parseValue(text, of: characteristic)
        let server = try hosted(place.server).server
        let name = names.text(of: .characteristic(place))
        // The device may have answered with another value: an obstructed door opens again at once.
        func words() async -> String {
            "\(name): \(characteristic.descriptor.text(of: await server.value(of: place.id) ?? value))"
        }
        if characteristic.permissions.contains(.write) {
            let status = await server.write([CharacteristicWrite(place.id, value)]).first ?? .success
            guard status == .success else {
                throw SimulationError(
                    .refused,
                    "\(name) cannot be set to \(characteristic.descriptor.text(of: value)) now: \(status).",
                    status == .invalidValue
                        ? "Write a value that the device takes at present."
                        : "First set the characteristics that it depends on."
                )
            }
            return await words()
        }
        if let service = names.service(at: place),
            await server.perform(
                .applySensorInput(BehaviorChange(characteristic.type, value)),
                on: service.key,
                of: place.id.aid
            )
        {
            return await words()
        }
        if let controls = await server.controls(of: place.id) {
            throw SimulationError(
                .refused,
                "\(name) cannot be set to \(characteristic.descriptor.text(of: value)) by hand.",
                names.remedy(controls, insteadOf: place)
            )
        }
        guard await server.set(value, for: place.id) else {
            throw SimulationError(
                .invalidValue,
                "\(name) cannot be set to \(characteristic.descriptor.text(of: value)).",
                "It takes \(characteristic.descriptor.allowedValues)."
            )
        }
        return await words()
    }

    private func command(
        _ command: BehaviorCommand,
        on target: SimulationTarget,
        _ words: String
    ) async throws(SimulationError) -> String {
        let (server, aid, key) = try names.service(target, for: command)
        let name = names.text(of: .service(server: server, aid, key))
        guard try await hosted(server).server.perform(command, on: key, of: aid) else {
            throw SimulationError(
                .refused,
                "\(name) cannot \(command.verb).",
                "Write the name of a service that can \(command.verb)."
            )
        }
        return "\(words) \(name)."
    }

    /// Returns a server that was found by its name.
    ///
    /// - Throws: ``SimulationError`` if it was removed meanwhile.
    func hosted(_ id: Int) throws(SimulationError) -> HostedServer {
        guard let server = self[id] else {
            throw SimulationError(.unknownName, "This server is no longer served.", "Name another one.")
        }
        return server
    }
}
