internal import AccessoryModel
internal import Documents
internal import HAPCore

/// A resolver that replaces the ids of a home with names.
struct NameResolver {
    private let index: HomeIndex
    private var serviceNames: [ObjectID<HomeService>: String] = [:]

    init(_ home: Home) {
        index = HomeIndex(home)
        for accessory in home.accessories {
            for (service, label) in zip(accessory.services, ServiceLabel.texts(of: accessory.services)) {
                serviceNames[service.id] = service.isVisible ? service.name.text : "\(accessory.name)/\(label)"
            }
        }
    }

    func room(_ id: ObjectID<Room>) -> String {
        index.room(id)?.name.text ?? ""
    }

    func service(_ id: ObjectID<HomeService>) -> String {
        serviceNames[id] ?? ""
    }

    func accessory(_ accessory: HomeAccessory) -> HomeDescription.Accessory {
        var described = HomeDescription.Accessory(
            accessory: Located(accessory.alias ?? accessory.name.text),
            name: accessory.alias.map { _ in Located(accessory.name) }
        )
        described.room = accessory.room == .entireHome ? nil : Located(room(accessory.room))
        described.bridge = accessory.bridge.flatMap { index.accessory($0) }.map { Located($0.name.text) }
        described.deviceID = accessory.reference?.server
        described.aid = accessory.reference.flatMap { $0.aid == .primary ? nil : $0.aid }
        described.category = accessory.category
        for (service, label) in zip(accessory.services, ServiceLabel.texts(of: accessory.services)) {
            let room = service.room.map { Located(self.room($0)) }
            guard service.isVisible || room != nil || service.associatedType != nil else { continue }
            described.services.append(
                HomeDescription.Service(
                    key: Located(label),
                    name: service.isVisible ? Located(service.name) : nil,
                    room: room,
                    associatedType: service.associatedType.map { Located($0) }
                )
            )
        }
        return described
    }
}

extension NameResolver: HomeResolver {
    typealias From = HomeIDs
    typealias To = HomeNames

    func characteristic(_ reference: CharacteristicSelector) -> Located<String>? {
        Located("\(service(reference.service))/\(reference.type.nameOrUUID)")
    }

    func value(
        _ value: CharacteristicValue,
        of characteristic: CharacteristicSelector,
        as resolved: Located<String>
    ) -> Located<String>? {
        let known = index.characteristic(characteristic)
        return switch known?.base.documentValue(value) ?? value.json {
        case .bool(let flag): Located(flag ? "true" : "false")
        case .number(let number): Located(number.definitionText)
        case .string(let text): Located(text)
        case .null, .array, .object: Located("")
        }
    }

    func scene(_ reference: ObjectID<HomeScene>) -> Located<String>? {
        index.scene(reference).map { Located($0.name.text) }
    }

    func user(_ reference: ObjectID<HomeUser>) -> Located<String>? {
        index.user(reference).map { Located($0.name.text) }
    }
}

extension HomeDocument {
    /// Creates a description of homes.
    ///
    /// Merging the description into an empty ``Homes``, with the same known accessories, creates equal homes.
    package init(_ homes: Homes) {
        self.init(
            homes: homes.homes.map { home in
                var description = HomeDescription(home)
                description.isPrimary = homes.homes.count > 1 && homes.primary == home.id
                return description
            }
        )
    }
}

extension HomeDescription {
    /// Creates a description of a home.
    package init(_ home: Home) {
        var names = NameResolver(home)
        self.init(name: Located(home.name))
        place = home.place
        timeZone = home.timeZone.map { Located($0) }
        rooms = home.rooms.map { Located($0.name) }
        zones = home.zones.map { zone in Named(Located(zone.name), zone.rooms.map { Located(names.room($0)) }) }
        accessories = home.accessories.map(names.accessory)
        groups = home.serviceGroups.map { group in
            Named(Located(group.name), group.services.map { Located(names.service($0)) })
        }
        scenes = home.scenes.map { scene in
            Named(Located(scene.name), SceneContent(kind: scene.kind, actions: names.actions(scene.actions) ?? []))
        }
        automations = home.automations.compactMap { automation in
            automation.rule.resolved(by: &names).map { Named(Located(automation.name), $0) }
        }
        users = home.users.map { Named(Located($0.name), $0.access) }
    }
}
