package import AccessoryModel
internal import HAPCore
internal import HAPServer
package import Simulation
internal import Synchronization

/// The servers of this process as what a person at the prompt or a scenario acts on.
package struct SimulationServers: Sendable {
    /// The servers, in the order in which people are told of them.
    package let servers: [SimulationServer]
    /// What is called how.
    package let names: SimulationNames
    /// The home that is run on the servers.
    package let home: SimulatedHome?

    /// Takes servers that listen.
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

    /// The same with other accessories in one of its servers, which serves them already.
    func replacingAccessories(with accessories: [Accessory], at place: Int) async -> SimulationServers {
        guard servers.indices.contains(place) else { return self }
        var members = servers
        members[place].accessories = accessories
        let names = names.replacingServer(at: place, with: await members[place].namedServer())
        return SimulationServers(members, names, home: home)
    }

    /// The same with a home that is run on the servers.
    package func with(_ home: SimulatedHome?) -> SimulationServers {
        SimulationServers(servers, names, home: home)
    }

    /// Does something; returns what was done, in words.
    ///
    /// - Throws: ``SimulationError`` when it names nothing, or is refused.
    package func perform(_ action: SimulationAction) async throws(SimulationError) -> String {
        try names.check(action)
        switch action {
        case .set(let target, let text): return try await set(target, text)
        case .press(let target, let press):
            return try await command(.press(press), on: target, "\(Self.pressTexts[press] ?? "Pressed")")
        case .stop(let target): return try await command(.stop, on: target, "Stopped")
        case .obstruct(let target): return try await command(.obstruct, on: target, "Obstructed")
        case .clearObstruction(let target):
            return try await command(.clearObstruction, on: target, "Nothing obstructs any more:")
        case .fault(let request): return try await inject(request)
        case .clear(let name, let target): return try await clearFaults(name, target)
        case .advance(let duration):
            try await advance(by: duration)
            return "Time has passed by \(ScenarioText.duration(duration))."
        case .pause:
            await changeClocks { clock, now in clock.pause(at: now) }
            return "Time stands still."
        case .resume:
            await changeClocks { clock, now in clock.resume(at: now) }
            return "Time goes on."
        case .scale(let scale):
            await changeClocks { clock, now in clock.setScale(scale, at: now) }
            return "Time passes \(scale) times as fast."
        case .log(let text): return text
        case .arrive, .leave: throw .noHome
        }
    }

    // MARK: Values

    /// The present values of characteristics.
    package func values(of places: some Sequence<ServerCharacteristicID>) async -> [ServerCharacteristicID:
        CharacteristicValue]
    {
        var values: [ServerCharacteristicID: CharacteristicValue] = [:]
        for place in places where servers.indices.contains(place.server) {
            values[place] = await servers[place.server].server.value(of: place.id)
        }
        return values
    }

    /// What there is in something, a line each: `Garage Door/Current Door State: Open`.
    ///
    /// - Parameter object: What is shown; `nil` for everything that is simulated.
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
        .single: "Pressed", .double: "Pressed twice", .long: "Pressed for a while",
    ]

    private func set(_ target: SimulationTarget, _ text: String) async throws(SimulationError) -> String {
        let (place, characteristic) = try names.characteristic(target)
        let value = try SimulationNames.parseValue(text, of: characteristic)
        let server = servers[place.server].server
        let name = names.text(of: .characteristic(place))
        let words = "\(name): \(characteristic.descriptor.text(of: value))"
        if characteristic.permissions.contains(.write) {
            let status = await server.write([CharacteristicWrite(place.id, value)]).first ?? .success
            guard status == .success else {
                throw SimulationError(
                    .refused,
                    "\(name) cannot be set to \(characteristic.descriptor.text(of: value)) now: \(status).",
                    "Set first what it depends on."
                )
            }
            return words
        }
        if let service = names.service(at: place),
            await server.perform(
                .applySensorInput(BehaviorChange(characteristic.type, value)),
                on: service.key,
                of: place.id.aid
            )
        {
            return words
        }
        guard await server.set(value, for: place.id) else {
            throw SimulationError(
                .invalidValue,
                "\(name) cannot be \(characteristic.descriptor.text(of: value)).",
                "It takes \(characteristic.descriptor.allowedValues)."
            )
        }
        return words
    }

    private func command(
        _ command: BehaviorCommand,
        on target: SimulationTarget,
        _ words: String
    ) async throws(SimulationError) -> String {
        let (server, aid, key) = try names.service(target)
        let name = names.text(of: .service(server: server, aid, key))
        guard await servers[server].server.perform(command, on: key, of: aid) else {
            throw SimulationError(
                .refused,
                "\(name) does not know how to \(command.verb).",
                "Name a service that does."
            )
        }
        return "\(words) \(name)."
    }
}

/// The stage as it is served now: what is called how changes when what is served is edited.
package final class CurrentSimulationServers: Sendable {
    private let servers: Mutex<SimulationServers>

    /// Begins with a stage.
    package init(_ simulation: SimulationServers) {
        self.servers = Mutex(simulation)
    }

    /// The stage.
    package var current: SimulationServers { servers.withLock { $0 } }

    /// Takes over what one of its servers serves from now on; to be called by one task at a time.
    package func replaceAccessories(with accessories: [Accessory], at place: Int) async {
        let new = await current.replacingAccessories(with: accessories, at: place)
        servers.withLock { $0 = new }
    }
}
