internal import AccessoryModel
internal import HAPCore
internal import HomeModel

/// One reading of a home file.
struct HomeSession {
    /// What reads texts, flags and numbers, and collects what is wrong.
    var base = DefinitionSession()
    /// How many bytes the values of actions and tests may still have, those of an alias counted each time.
    var remainingValueBytes = DefinitionText.maximumSize

    /// What a file says.
    mutating func document(_ root: DefinitionField) -> HomeDocument {
        if let members = root.node.mapping, members.contains(where: { $0.key == HomeKey.homes.rawValue }) {
            guard let map = DefinitionMap(root, known: HomeKey.listing, hint: Self.listingHint, &base.findings) else {
                return HomeDocument()
            }
            let entries = base.list(map[.homes])
            if entries.count > HomeLimits.homes {
                base.findings.report(root, "there are \(entries.count) homes; write at most \(HomeLimits.homes)")
            }
            return HomeDocument(homes: entries.prefix(HomeLimits.homes).compactMap { home($0, HomeKey.several) })
        }
        return HomeDocument(homes: [home(root, HomeKey.alone)].compactMap(\.self))
    }

    private static func listingHint(_ key: String) -> String? {
        HomeKey(rawValue: key) == nil ? nil : "this belongs to a home; write it under one of \"homes\""
    }

    private mutating func home(_ field: DefinitionField, _ keys: [HomeKey]) -> DocumentedHome? {
        guard let map = DefinitionMap(field, known: keys, &base.findings) else { return nil }
        if map.lacks(.home) {
            base.findings.report(field, "the home has no name; begin with \"home: NAME\"")
        }
        var home = map[.home].flatMap { self.name($0) }.map { DocumentedHome(name: $0) }
        let isPrimary = base.flag(map[.primary])
        let place = map[.place].flatMap { geographicPlace($0) }
        let timeZone = placedText(map[.timeZone])
        let rooms = base.list(map[.rooms]).compactMap { name($0) }
        let zones = named(map[.zones])
            .map { name, field in
                DocumentedZone(name: name, rooms: texts(field))
            }
        let accessories = base.list(map[.accessories]).compactMap { placement($0) }
        let groups = named(map[.groups])
            .map { name, field in
                DocumentedGroup(name: name, services: texts(field))
            }
        let scenes = named(map[.scenes]).compactMap { scene($0, $1) }
        let automations = named(map[.automations]).compactMap { automation($0, $1) }
        let users = named(map[.users]).compactMap { user($0, $1) }
        home?.isPrimary = isPrimary
        home?.place = place
        home?.timeZone = timeZone
        home?.rooms = rooms
        home?.zones = zones
        home?.accessories = accessories
        home?.groups = groups
        home?.scenes = scenes
        home?.automations = automations
        home?.users = users
        return home
    }

    // MARK: Names and texts

    func place(_ field: DefinitionField) -> DocumentPlace {
        DocumentPlace(
            line: field.node.position.line,
            column: field.node.position.column,
            path: field.path.description
        )
    }

    /// A name that obeys the rules.
    mutating func name(_ field: DefinitionField) -> Placed<ObjectName>? {
        guard let text = base.text(field) else { return nil }
        do throws(HomeError) {
            return Placed(try ObjectName(text), at: place(field))
        } catch {
            base.findings.report(field, error.findingText)
            return nil
        }
    }

    mutating func placedText(_ field: DefinitionField?) -> Placed<String>? {
        guard let field else { return nil }
        return base.text(field).map { Placed($0, at: place(field)) }
    }

    /// The name of a property: `Service/Property`.
    mutating func property(_ field: DefinitionField?) -> Placed<String>? {
        guard let field, let name = placedText(field) else { return nil }
        guard name.value.utf8.count <= Self.maximumPropertyLength else {
            base.findings.report(
                field,
                "this has more than \(Self.maximumPropertyLength) bytes and names no property; write Service/Property"
            )
            return nil
        }
        return name
    }

    private static let maximumPropertyLength = 1_024

    mutating func texts(_ field: DefinitionField?) -> [Placed<String>] {
        base.list(field).compactMap { placedText($0) }
    }

    /// The entries of a map whose keys are names.
    mutating func named(_ field: DefinitionField?) -> [(Placed<ObjectName>, DefinitionField)] {
        guard let field else { return [] }
        guard let members = field.node.mapping else {
            base.findings.report(
                field,
                "\(field.node.kind) stands where a map is expected; write \"name: …\" lines"
            )
            return []
        }
        return members.compactMap { member in
            let path = DefinitionPath.key(member.key, in: field.path)
            do throws(HomeError) {
                let place = DocumentPlace(
                    line: member.position.line,
                    column: member.position.column,
                    path: path.description
                )
                return (Placed(try ObjectName(member.key), at: place), field.member(member))
            } catch {
                base.findings.report(in: field.file, at: member.position, path: path, error.findingText)
                return nil
            }
        }
    }

    // MARK: Simple things

    private mutating func geographicPlace(_ field: DefinitionField) -> GeographicPlace? {
        guard let map = DefinitionMap(field, known: PlaceKey.allCases, &base.findings) else { return nil }
        let latitude = degrees(map, .latitude, 90)
        let longitude = degrees(map, .longitude, 180)
        guard let latitude, let longitude else { return nil }
        return GeographicPlace(latitude: latitude, longitude: longitude)
    }

    private mutating func degrees(_ map: DefinitionMap<PlaceKey>, _ key: PlaceKey, _ limit: Double) -> Double? {
        guard let field = map[key] else {
            if map.lacks(key) {
                base.findings.report(map.field, "there is no \(key.rawValue); write it in degrees")
            }
            return nil
        }
        guard case .number(let number) = field.node.scalar?.meaning, abs(number.double) <= limit else {
            base.findings.report(
                field,
                "\(field.node.kind) is no \(key.rawValue); write degrees from -\(Int(limit)) to \(Int(limit))"
            )
            return nil
        }
        return number.double
    }

    private mutating func user(_ name: Placed<ObjectName>, _ field: DefinitionField) -> DocumentedUser? {
        guard field.node.mapping != nil else {
            return base.word(field, HomeWords.roles).map { DocumentedUser(name: name, role: $0) }
        }
        guard let map = DefinitionMap(field, known: UserKey.allCases, &base.findings) else { return nil }
        let isRemote = base.flag(map[.remote])
        guard let role = map[.role] else {
            if map.lacks(.role) {
                base.findings.report(field, "the user has no role; write owner, administrator or member")
            }
            return nil
        }
        return base.word(role, HomeWords.roles).map { DocumentedUser(name: name, role: $0, isRemote: isRemote) }
    }

    // MARK: Accessories

    private mutating func placement(_ field: DefinitionField) -> DocumentedPlacement? {
        if field.node.scalar != nil {
            return placedText(field).map { DocumentedPlacement(accessory: $0) }
        }
        guard let map = DefinitionMap(field, known: PlacementKey.allCases, &base.findings) else { return nil }
        if map.lacks(.accessory) {
            base.findings.report(field, "the accessory is not named; begin with \"accessory: NAME\"")
        }
        let accessory = placedText(map[.accessory])
        let name = map[.name].flatMap { self.name($0) }
        let category = map[.category].flatMap { base.category($0) }
        let deviceID = base.value(
            map[.deviceID],
            "device ID",
            "write six bytes as 1A:2B:3C:4D:5E:6F",
            { DeviceID($0) }
        )
        let services = self.services(map[.services])
        guard let accessory else { return nil }
        return DocumentedPlacement(
            accessory: accessory,
            name: name,
            room: placedText(map[.room]),
            bridge: placedText(map[.bridge]),
            deviceID: deviceID,
            aid: base.accessoryID(map[.aid]),
            category: category,
            services: services
        )
    }

    private mutating func services(_ field: DefinitionField?) -> [DocumentedPlacement.Service] {
        guard let field else { return [] }
        guard let members = field.node.mapping else {
            base.findings.report(
                field,
                "\(field.node.kind) stands where a map is expected; write \"Lightbulb: NAME\" lines"
            )
            return []
        }
        return members.compactMap { member in
            let value = field.member(member)
            let place = DocumentPlace(
                line: member.position.line,
                column: member.position.column,
                path: value.path.description
            )
            var service = DocumentedPlacement.Service(key: Placed(member.key, at: place))
            if value.node.scalar != nil {
                service.name = name(value)
                return service
            }
            guard let map = DefinitionMap(value, known: PlacedServiceKey.allCases, &base.findings) else { return nil }
            service.type = serviceType(map[.type])?.value
            service.name = map[.name].flatMap { self.name($0) }
            service.room = placedText(map[.room])
            service.associatedType = serviceType(map[.associatedType])
            return service
        }
    }

    private mutating func serviceType(_ field: DefinitionField?) -> Placed<ServiceType>? {
        guard let field, let text = base.text(field) else { return nil }
        if text.utf8.count <= 64, let type = ServiceType(written: text) { return Placed(type, at: place(field)) }
        let nearest = base.findings.spelling.nearest(to: text, among: Catalogue.services.lazy.map(\.id))
        base.findings.report(
            field,
            "there is no service type \(text.quotedForPeople); write \(nearest ?? "one that \"hap types\" lists")"
        )
        return nil
    }
}
