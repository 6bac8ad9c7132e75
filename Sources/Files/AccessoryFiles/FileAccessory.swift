package import AccessoryModel
package import HAPCore
package import Simulation

/// An accessory of a file.
package struct FileAccessory: Sendable, Hashable {
    /// The key that identifies the accessory in its server, across edits.
    package var key: String
    /// Its services; usually Accessory Information is first.
    package var services: [FileService]
    /// The aid in the file.
    package var aid: AccessoryID?
    /// What connects it to something that is not simulated.
    package var driver: DriverSetting?

    /// Creates an accessory.
    package init(key: String, services: [FileService], aid: AccessoryID? = nil, driver: DriverSetting? = nil) {
        self.key = key
        self.services = services
        self.aid = aid
        self.driver = driver
    }

    func makeAccessory(isSimulated: Bool, seed: UInt64) -> Accessory {
        let seed = SeededRandom.seed(seed, for: key)
        let definition = driver?.definition
        // Peers talk with one device.
        let type = definition?.type(among: services.map(\.key.type))
        let first = services.first { $0.key.type == type }?.key
        return Accessory(
            key: key,
            services: services.map { service in
                if definition?.owns(service.key.type) == true { return Service(service.description, isDriven: true) }
                let model = isSimulated ? service.simulation.model(for: service.key.type) : nil
                let seed = SeededRandom.seed(seed, for: service.key.path)
                let behavior = model?.behavior(seed: seed)
                guard let driver, service.key == first else { return Service(service.description, behavior: behavior) }
                let connected = definition?.connected(driver, service.key.type, behavior, seed: seed)
                return Service(service.description, behavior: connected ?? behavior)
            },
            aid: aid
        )
    }
}

/// A service of a file: its declaration and its simulation.
@dynamicMemberLookup
package struct FileService: Sendable, Hashable {
    /// The service, with the ids of the file.
    package var description: ServiceDescription
    /// The simulation model of the service.
    package var simulation: SimulationChoice

    /// Creates a service.
    package init(_ description: ServiceDescription, simulation: SimulationChoice = .automatic) {
        self.description = description
        self.simulation = simulation
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<ServiceDescription, Value>) -> Value {
        get { description[keyPath: path] }
        _modify { yield &description[keyPath: path] }
    }
}
