extension Home {
    /// The room with this id, also the one for the entire home; `nil` when there is none.
    public func room(_ id: ObjectID<Room>) -> Room? {
        id == .entireHome ? .entireHome : rooms.first { $0.id == id }
    }

    /// The zone with this id, `nil` when there is none.
    public func zone(_ id: ObjectID<Zone>) -> Zone? {
        zones.first { $0.id == id }
    }

    /// The accessory with this id, `nil` when there is none.
    public func accessory(_ id: ObjectID<HomeAccessory>) -> HomeAccessory? {
        accessories.first { $0.id == id }
    }

    /// The accessory at this place of the network, `nil` when there is none.
    public func accessory(at reference: AccessoryReference) -> HomeAccessory? {
        accessories.first { $0.reference == reference }
    }

    /// The service with this id, `nil` when there is none.
    public func service(_ id: ObjectID<HomeService>) -> HomeService? {
        for accessory in accessories.indices {
            // By index, since a loop over the services copies each of them.
            let services = accessories[accessory].services
            for index in services.indices where services[index].id == id { return services[index] }
        }
        return nil
    }

    /// The accessory that a service belongs to, `nil` when there is no such service.
    public func accessory(of service: ObjectID<HomeService>) -> HomeAccessory? {
        accessories.first { $0.services.contains { $0.id == service } }
    }

    /// The service group with this id, `nil` when there is none.
    public func serviceGroup(_ id: ObjectID<ServiceGroup>) -> ServiceGroup? {
        serviceGroups.first { $0.id == id }
    }

    /// The scene with this id, `nil` when there is none.
    public func scene(_ id: ObjectID<HomeScene>) -> HomeScene? {
        scenes.first { $0.id == id }
    }

    /// The automation with this id, `nil` when there is none.
    public func automation(_ id: ObjectID<Automation>) -> Automation? {
        automations.first { $0.id == id }
    }

    /// The user with this id, `nil` when there is none.
    public func user(_ id: ObjectID<HomeUser>) -> HomeUser? {
        users.first { $0.id == id }
    }

    /// The characteristic that a selector names, `nil` when there is none.
    public func characteristic(_ selector: CharacteristicSelector) -> HomeCharacteristic? {
        service(selector.service)?.characteristic(selector.type)
    }

    /// Where the characteristic that a selector names is on the network; `nil` when there is none, or its accessory is not
    /// found.
    public func reference(of selector: CharacteristicSelector) -> CharacteristicReference? {
        guard let accessory = accessory(of: selector.service)?.reference,
            let iid = characteristic(selector)?.iid
        else { return nil }
        return CharacteristicReference(accessory: accessory, iid: iid)
    }

    /// The room that a service is in: its own, else its accessory's; `nil` when there is no such service.
    public func room(of service: ObjectID<HomeService>) -> ObjectID<Room>? {
        guard let accessory = accessory(of: service) else { return nil }
        return accessory.services.first { $0.id == service }?.room ?? accessory.room
    }

    /// What people see and control, accessory by accessory, each with the room that it is in.
    public var visibleServices: [(service: HomeService, room: ObjectID<Room>)] {
        accessories.flatMap { accessory in
            accessory.services.lazy.filter(\.isVisible).map { ($0, $0.room ?? accessory.room) }
        }
    }
}
