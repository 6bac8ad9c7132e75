package import AccessoryModel
internal import HAPCore
package import HAPServer
package import Simulation

/// The servers of this process on which a user at the prompt or a scenario acts.
package struct SimulationServers: Sendable {
    /// The servers, in display order.
    package let servers: [SimulationServer]
    /// The names of everything that the servers have.
    package let names: SimulationNames
    /// The home that runs on the servers.
    package let home: SimulatedHome?

    /// Creates a simulation from servers that are listening.
    package init(_ members: [SimulationServer], home: SimulatedHome? = nil) async {
        self.servers = members
        self.home = home
        var servers: [NamedServer] = []
        for member in members {
            servers.append(await member.namedServer())
        }
        names = SimulationNames(servers)
    }

    private init(_ members: [SimulationServer], _ names: SimulationNames, home: SimulatedHome?) {
        self.servers = members
        self.names = names
        self.home = home
    }

    /// Returns the position of a server, or `nil` if it is not one of these.
    ///
    /// - Parameter hint: A position that is tried first.
    package func position(of server: AccessoryServer, near hint: Int = 0) -> Int? {
        if servers.indices.contains(hint), servers[hint].server === server { return hint }
        return servers.firstIndex { $0.server === server }
    }

    /// Returns the same servers with one more.
    func adding(_ server: SimulationServer) async -> SimulationServers {
        SimulationServers(servers + [server], names.addingServer(await server.namedServer()), home: home)
    }

    /// Returns the same servers without one of them.
    func removing(_ server: AccessoryServer) -> SimulationServers {
        guard let place = position(of: server) else { return self }
        var members = servers
        members.remove(at: place)
        return SimulationServers(members, names.removingServer(at: place), home: home)
    }

    /// Returns the same servers with other accessories for one of them.
    ///
    /// That server must already serve them.
    func replacingAccessories(with accessories: [Accessory], of server: AccessoryServer) async -> SimulationServers {
        guard let place = position(of: server) else { return self }
        var members = servers
        members[place].accessories = accessories
        let names = names.replacingServer(at: place, with: await members[place].namedServer())
        return SimulationServers(members, names, home: home)
    }

    /// Returns the same servers with a home that runs on them.
    package func with(_ home: SimulatedHome?) -> SimulationServers {
        SimulationServers(servers, names, home: home)
    }

    /// Performs an action, and returns a description of what was done.
    ///
    /// - Throws: ``SimulationError`` for an unknown name, or an action that is refused.
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
            await changeClocks { clock, now in clock.pause(at: now) }
            return "Time is paused."
        case .resume:
            await changeClocks { clock, now in clock.resume(at: now) }
            return "Time continues."
        case .scale(let scale):
            await changeClocks { clock, now in clock.setScale(scale, at: now) }
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
        for place in places where servers.indices.contains(place.server) {
            values[place] = await servers[place.server].server.value(of: place.id)
        }
        return values
    }

    /// Returns the values and readings of an object, one per line: `Garage Door/Current Door State: Open`.
    ///
    /// - Parameter object: The object to show; `nil` for everything that is simulated.
    package func statusLines(of object: SimulationObject?) async -> [String] {
        var lines: [String] = []
        let wanted = object.map { names.characteristics(in: $0) }
        for (place, server) in names.servers.enumerated() where object == nil || object?.server == place {
            for accessory in server.accessories {
                for service in accessory.services {
                    let isShown = object == nil ? service.isSimulated : true
                    guard isShown else { continue }
                    var isAny = false
                    for characteristic in service.characteristics where characteristic.permissions.contains(.read) {
                        let id = ServerCharacteristicID(server: place, characteristic.id)
                        guard wanted?.contains(id) ?? true else { continue }
                        let value = await servers[place].server.value(of: characteristic.id)
                        let name = names.text(of: .characteristic(id))
                        lines.append("\(name): \(characteristic.descriptor.text(of: value))")
                        isAny = true
                    }
                    guard isAny else { continue }
                    let name = names.text(of: .service(server: place, accessory.aid, service.key))
                    for reading in await servers[place].server.readings(of: service.key, in: accessory.aid) {
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
        let (place, characteristic) = try names.characteristic(target)
        let value = try SimulationNames.parseValue(text, of: characteristic)
        let server = servers[place.server].server
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
        guard await servers[server].server.perform(command, on: key, of: aid) else {
            throw SimulationError(
                .refused,
                "\(name) cannot \(command.verb).",
                "Write the name of a service that can \(command.verb)."
            )
        }
        return "\(words) \(name)."
    }
}
