internal import AccessoryModel

/// The services of a home by the names under which a file speaks of them.
struct MergeDirectory {
    /// How many bytes a text may have that names something.
    static let maximumLength = 1_024

    /// Every service.
    private(set) var services: [ObjectID<HomeService>: HomeService] = [:]
    /// What people see is called so.
    private(set) var names: [String] = []
    private var shown: [String: ObjectID<HomeService>] = [:]
    private var accessories: [String: (accessory: HomeAccessory, positions: ServicePositions)] = [:]

    init() {}

    init(_ home: Home) {
        for accessory in home.accessories {
            accessories[accessory.name.key] = (accessory, ServicePositions(of: accessory.services))
            for service in accessory.services {
                services[service.id] = service
                if service.isShown, shown[service.name.key] == nil {
                    shown[service.name.key] = service.id
                    names.append(service.name.text)
                }
            }
        }
    }

    /// Whether people see a service with the name.
    func isShown(_ name: ObjectName) -> Bool {
        shown[name.key] != nil
    }

    /// The service that a text names: `Garage Light`, or `Kilgo Garage/Lightbulb`.
    func service(_ text: String) -> ObjectID<HomeService>? {
        if let id = shown[Self.key(of: text)] { return id }
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let (accessory, positions) = accessories[Self.key(of: String(parts[0]))] else {
            return nil
        }
        return positions.position(of: ServiceDesignation(String(parts[1]))).map { accessory.services[$0].id }
    }

    /// What a text with a characteristic names.
    enum Found {
        case characteristic(CharacteristicSelector)
        case noService(String)
        case noCharacteristic(HomeService, CharacteristicType?, String)
    }

    /// The characteristic that a text names: `Garage Light/On`, or `Kilgo Garage/Lightbulb/On`.
    func characteristic(_ text: String) -> Found {
        guard text.utf8.count <= Self.maximumLength else { return .noService(text) }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return .noService(text) }
        var found: Found = .noService(parts[0])
        if let id = shown[Self.key(of: parts[0])], let service = services[id] {
            found = Self.characteristic(parts[1], of: service)
            if case .characteristic = found { return found }
        }
        let rest = parts[1].split(separator: "/", maxSplits: 1).map(String.init)
        guard rest.count == 2, let (accessory, positions) = accessories[Self.key(of: parts[0])],
            let position = positions.position(of: ServiceDesignation(rest[0]))
        else { return found }
        return Self.characteristic(rest[1], of: accessory.services[position])
    }

    private static func characteristic(_ text: String, of service: HomeService) -> Found {
        if let found = service.characteristic(named: text) {
            return .characteristic(CharacteristicSelector(service: service.id, type: found.type))
        }
        return .noCharacteristic(service, CharacteristicType(written: text), text)
    }

    /// A name without what does not count in it; of what is too long for a name, nobody's.
    static func key(of text: String) -> String {
        text.utf8.count <= 4 * ObjectName.maximumByteCount ? ObjectName.key(of: text) : ""
    }
}

extension HomeService {
    /// The characteristic that a text names: by its type, the type's UUID, or the description that no other one has.
    package func characteristic(named text: String) -> HomeCharacteristic? {
        guard text.utf8.count <= MergeDirectory.maximumLength else { return nil }
        if let type = CharacteristicType(written: text), let found = characteristic(type) { return found }
        let key = Catalogue.key(text)
        let described = characteristics.filter { $0.description.map(Catalogue.key) == key }
        return described.count == 1 ? described.first : nil
    }
}
