package import AccessoryModel

/// Finds the objects of a home by their ids.
///
/// A ``Home`` searches its arrays for each lookup. Use a ``HomeIndex`` for more than a few lookups: with a home, a loop
/// over the objects of a large home takes time that grows with the square of its size.
package protocol HomeLookup {
    /// Returns the service with an id, or `nil` if there is none.
    func service(_ id: ObjectID<HomeService>) -> HomeService?
    /// Returns the accessory that a service belongs to, or `nil` if there is no such service.
    func accessory(of service: ObjectID<HomeService>) -> HomeAccessory?
    /// Returns the accessory with an id, or `nil` if there is none.
    func accessory(_ id: ObjectID<HomeAccessory>) -> HomeAccessory?
    /// Returns the room with an id, which may be the one for the entire home, or `nil` if there is none.
    func room(_ id: ObjectID<Room>) -> Room?
    /// Returns the scene with an id, or `nil` if there is none.
    func scene(_ id: ObjectID<HomeScene>) -> HomeScene?
    /// Returns the automation with an id, or `nil` if there is none.
    func automation(_ id: ObjectID<Automation>) -> Automation?
    /// Returns the user with an id, or `nil` if there is none.
    func user(_ id: ObjectID<HomeUser>) -> HomeUser?
    /// Returns the text of a characteristic, such as `Garage Light/On`.
    func text(of selector: CharacteristicSelector) -> String
    /// Returns the text of an action, such as `Garage Light/On = on`.
    func text(of action: HomeAction) -> String
    /// Returns the text of a test, such as `Thermostat/Current Temperature is above 25 °C`.
    func text(
        of test: CharacteristicTest<CharacteristicValue>,
        on selector: CharacteristicSelector,
        _ verb: TestVerb
    ) -> String
}

/// What a text says about a value and a test.
package enum TestVerb: Sendable {
    /// The value passes the test.
    case passes
    /// The value does not pass the test.
    case fails
    /// The value has just begun to pass the test.
    case begins
}

extension HomeLookup {
    /// Returns the characteristic that a selector refers to, or `nil` if there is none.
    package func characteristic(_ selector: CharacteristicSelector) -> HomeCharacteristic? {
        service(selector.service)?.characteristic(selector.type)
    }

    /// Returns the room of a service, its own or that of its accessory, or `nil` if there is no such service.
    package func room(of service: ObjectID<HomeService>) -> ObjectID<Room>? {
        accessory(of: service).flatMap { self.service(service)?.room ?? $0.room }
    }
}

extension Home: HomeLookup {}

/// The objects of a home by their ids, which are found in constant time.
///
/// If an id occurs twice, the first object counts, as in ``Home``.
package struct HomeIndex: HomeLookup, Sendable {
    private let accessories: [HomeAccessory]
    private let accessoryPositions: [ObjectID<HomeAccessory>: Int]
    private let servicePositions: [ObjectID<HomeService>: (accessory: Int, service: Int)]
    private let rooms: [ObjectID<Room>: Room]
    private let scenes: [ObjectID<HomeScene>: HomeScene]
    private let automations: [ObjectID<Automation>: Automation]
    private let users: [ObjectID<HomeUser>: HomeUser]

    /// Creates the index of a home, in linear time.
    package init(_ home: Home) {
        accessories = home.accessories
        accessoryPositions = home.accessories.indicesByID
        var positions: [ObjectID<HomeService>: (accessory: Int, service: Int)] = [:]
        positions.reserveCapacity(home.accessories.lazy.map(\.services.count).reduce(0, +))
        for accessory in home.accessories.indices {
            for service in home.accessories[accessory].services.indices {
                let id = home.accessories[accessory].services[service].id
                if positions[id] == nil { positions[id] = (accessory, service) }
            }
        }
        servicePositions = positions
        rooms = home.rooms.byID
        scenes = home.scenes.byID
        automations = home.automations.byID
        users = home.users.byID
    }

    package func service(_ id: ObjectID<HomeService>) -> HomeService? {
        servicePositions[id].map { accessories[$0.accessory].services[$0.service] }
    }

    package func accessory(of service: ObjectID<HomeService>) -> HomeAccessory? {
        servicePositions[service].map { accessories[$0.accessory] }
    }

    package func accessory(_ id: ObjectID<HomeAccessory>) -> HomeAccessory? {
        accessoryPositions[id].map { accessories[$0] }
    }

    package func room(_ id: ObjectID<Room>) -> Room? { id == .entireHome ? .entireHome : rooms[id] }

    package func scene(_ id: ObjectID<HomeScene>) -> HomeScene? { scenes[id] }

    package func automation(_ id: ObjectID<Automation>) -> Automation? { automations[id] }

    package func user(_ id: ObjectID<HomeUser>) -> HomeUser? { users[id] }
}
