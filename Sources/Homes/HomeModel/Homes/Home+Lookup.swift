internal import AccessoryModel

extension Home {
    /// Returns the room with an id, which may be the one for the entire home, or `nil` if there is none.
    public func room(_ id: ObjectID<Room>) -> Room? {
        id == .entireHome ? .entireHome : rooms.first { $0.id == id }
    }

    /// Returns the accessory with an id, or `nil` if there is none.
    public func accessory(_ id: ObjectID<HomeAccessory>) -> HomeAccessory? {
        accessories.first { $0.id == id }
    }

    /// Returns the accessory at a location on the network, or `nil` if there is none.
    public func accessory(at reference: AccessoryReference) -> HomeAccessory? {
        accessories.first { $0.reference == reference }
    }

    /// Returns the service with an id, or `nil` if there is none.
    public func service(_ id: ObjectID<HomeService>) -> HomeService? {
        for accessory in accessories.indices {
            // Uses indices, because a loop over the services would copy each of them.
            let services = accessories[accessory].services
            for index in services.indices where services[index].id == id { return services[index] }
        }
        return nil
    }

    /// Returns the accessory that a service belongs to, or `nil` if there is no such service.
    public func accessory(of service: ObjectID<HomeService>) -> HomeAccessory? {
        accessories.first { $0.services.contains { $0.id == service } }
    }

    /// Returns the scene with an id, or `nil` if there is none.
    public func scene(_ id: ObjectID<HomeScene>) -> HomeScene? {
        scenes.first { $0.id == id }
    }

    /// Returns the automation with an id, or `nil` if there is none.
    public func automation(_ id: ObjectID<Automation>) -> Automation? {
        automations.first { $0.id == id }
    }

    /// Returns the user with an id, or `nil` if there is none.
    public func user(_ id: ObjectID<HomeUser>) -> HomeUser? {
        users.first { $0.id == id }
    }

    /// Returns the network locations of characteristics; those that are not found are missing.
    ///
    /// Takes linear time, also for all characteristics of a large home.
    public func references(
        of selectors: [CharacteristicSelector]
    ) -> [CharacteristicSelector: CharacteristicReference] {
        let wanted = Set(selectors)
        let services = Set(selectors.lazy.map(\.service))
        var references: [CharacteristicSelector: CharacteristicReference] = [:]
        for accessory in accessories {
            guard let reference = accessory.reference else { continue }
            for service in accessory.services where services.contains(service.id) {
                for characteristic in service.characteristics {
                    let selector = CharacteristicSelector(service: service.id, type: characteristic.base.type)
                    guard let iid = characteristic.iid, wanted.contains(selector) else { continue }
                    references[selector] = CharacteristicReference(accessory: reference, iid: iid)
                }
            }
        }
        return references
    }

    /// The visible services in the order of their accessories, each with its room.
    public var visibleServices: [(service: HomeService, room: ObjectID<Room>)] {
        accessories.flatMap { accessory in
            accessory.services.lazy.filter(\.isVisible).map { ($0, $0.room ?? accessory.room) }
        }
    }

    /// The visible services of each room that has any, in the order of their accessories.
    package var visibleServicesByRoom: [ObjectID<Room>: [HomeService]] {
        Dictionary(grouping: visibleServices, by: \.room).mapValues { $0.map(\.service) }
    }
}
