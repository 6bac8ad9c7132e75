package import AccessoryModel
internal import HAPCore
internal import HAPServer
package import Simulation

/// Actions of users and scenarios on the servers of a host.
extension AccessoryHost {
    /// Performs a command of the prompt, and returns its answer.
    ///
    /// - Throws: ``SimulationError`` if the command is not understood or refused.
    package func perform(command: String) async throws(SimulationError) -> CommandAnswer {
        let names = names
        switch try PromptCommand(command, names) {
        case .empty: return .nothing
        case .help(let word): return .shown(word.flatMap { PromptCommand.helpText(of: $0) } ?? PromptCommand.helpText)
        case .faults: return .shown(PromptCommand.faultHelpText)
        case .quit: return .quit
        case .show(let target):
            let object = try target.map { target throws(SimulationError) in try names.resolve(target) }
            let lines = await statusLines(of: object)
            return .shown(lines.isEmpty ? "There is nothing to show." : lines.joined(separator: "\n"))
        case .perform(let action): return .done(try await perform(names.resolve(action)))
        }
    }

    /// Performs an action, and returns a description of what was done.
    ///
    /// Actions that change time wait for their turn.
    ///
    /// - Throws: ``SimulationError`` for an unknown name, an action that is refused, or if the task is cancelled before
    ///   the action is complete.
    package func perform(_ action: ResolvedAction) async throws(SimulationError) -> String {
        switch action {
        case .set(let object, let value): return try await set(object, value)
        case .command(let command, let object): return try await perform(command, on: object)
        case .act(let action, let object): return try await act(action, on: object)
        case .fault(let request): return try await inject(request)
        case .clear(let name, let object): return await clearFaults(name, on: object)
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
        let names = names
        let parts = (object.map { [$0] } ?? servers.map { .server($0.id) }).flatMap(names.subtree)
        var lines: [String] = []
        var current: SimulationObject?
        for part in parts {
            guard case .characteristic(let place) = part, let service = names.service(containing: place),
                object != nil || names.service(of: service)?.behavior != nil,
                let characteristic = names.characteristic(at: place)?.base,
                characteristic.permissions.contains(.read)
            else { continue }
            if let current, current != service { lines += await readingLines(of: current, names) }
            current = service
            let value = await self[place.server]?.server.value(of: place.id)
            lines.append("\(names.text(of: part)): \(characteristic.text(of: value))")
        }
        if let current { lines += await readingLines(of: current, names) }
        return lines
    }

    /// Returns the readings of a service, one per line.
    private func readingLines(of object: SimulationObject, _ names: SimulationNames) async -> [String] {
        guard case .service(let id, let aid, let key) = object else { return [] }
        let readings = await self[id]?.server.readings(of: key, in: aid) ?? []
        return readings.map { reading in
            let text =
                switch reading.value {
                case .number(let value):
                    "\(JSONNumber((value * 100).rounded() / 100)?.description ?? "–") \(reading.unit)"
                case .text(let text): text
                }
            return "\(names.text(of: object)), \(reading.name): \(text)"
        }
    }

    // MARK: -

    private func set(_ object: SimulationObject, _ value: CharacteristicValue) async throws(SimulationError) -> String {
        let names = names
        guard case .characteristic(let place) = object, let characteristic = names.characteristic(at: place)?.base
        else {
            throw .gone
        }
        let server = try hosted(place.server).server
        let name = names.text(of: .characteristic(place))
        // The device may have answered with another value: an obstructed door opens again at once.
        func words() async -> String {
            "\(name): \(characteristic.text(of: await server.value(of: place.id) ?? value))"
        }
        if characteristic.permissions.contains(.write) {
            let status = await server.write([CharacteristicWrite(place.id, value)]).first ?? .success
            guard status == .success else {
                throw SimulationError(
                    .refused,
                    "\(name) cannot be set to \(characteristic.text(of: value)) now: \(status).",
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
                "\(name) cannot be set to \(characteristic.text(of: value)) by hand.",
                names.remedy(controls, insteadOf: place)
            )
        }
        guard await server.set(value, for: place.id) else {
            throw SimulationError(
                .invalidValue,
                "\(name) cannot be set to \(characteristic.text(of: value)).",
                "It takes \(characteristic.allowedValues)."
            )
        }
        return await words()
    }

    private func perform(
        _ command: BehaviorCommand,
        on object: SimulationObject
    ) async throws(SimulationError) -> String {
        let names = names
        guard case .service(let id, let aid, let key) = object else { throw .gone }
        try names.check(command, on: object)
        guard try await hosted(id).server.perform(command, on: key, of: aid) else {
            throw SimulationError(
                .refused,
                "\(names.text(of: object)) cannot \(command.words.verb).",
                "Write the name of a service that can \(command.words.verb)."
            )
        }
        return "\(command.words.pastTense) \(names.text(of: object))."
    }

    private func act(_ action: DriverAction, on object: SimulationObject) async throws(SimulationError) -> String {
        let server = try hosted(object.server)
        guard case .accessory(_, let aid) = object, let driver = server.drivers.driver(of: aid) else { throw .gone }
        let text = try await driver.perform(action)
        return text.isEmpty ? "\(names.text(of: object)): \(action.name) is done." : text
    }

    /// Returns a server that was found by its name.
    ///
    /// - Throws: ``SimulationError`` if it was removed meanwhile.
    func hosted(_ id: Int) throws(SimulationError) -> HostedServer {
        guard let server = self[id] else {
            throw .gone
        }
        return server
    }
}

/// The answer to a command of the prompt.
package enum CommandAnswer: Sendable, Hashable {
    /// The line was empty.
    case nothing
    /// The action was performed; the text describes it.
    case done(String)
    /// A text to show.
    case shown(String)
    /// The program should end.
    case quit
}
