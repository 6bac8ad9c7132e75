internal import AccessoryModel
internal import HAPCore

/// The services of a home by the names that a file uses for them.
struct ServiceNameIndex {
    /// The maximum length in bytes of a text that refers to an object.
    static let maximumLength = 1_024

    /// All services by id.
    private(set) var services: [ObjectID<HomeService>: HomeService] = [:]
    /// The names of visible services.
    private(set) var names: [String] = []
    private var visibleIDs: [String: ObjectID<HomeService>] = [:]
    private var accessories: [String: (accessory: HomeAccessory, positions: ServicePositions)] = [:]

    init(_ home: Home) {
        for accessory in home.accessories {
            accessories[accessory.name.key] = (accessory, ServicePositions(of: accessory.services))
            for service in accessory.services {
                services[service.id] = service
                if service.isVisible, visibleIDs[service.name.key] == nil {
                    visibleIDs[service.name.key] = service.id
                    names.append(service.name.text)
                }
            }
        }
    }

    /// Returns whether there is a visible service with a name.
    func isVisible(_ name: ObjectName) -> Bool {
        visibleIDs[name.key] != nil
    }

    /// Returns the service for a text such as `Garage Light` or `Kilgo Garage/Lightbulb`.
    func service(_ text: String) -> ObjectID<HomeService>? {
        if let id = visibleIDs[Self.key(of: text)] { return id }
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let parts = text.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? service(String(parts[1]), of: String(parts[0]))?.id : nil
    }

    /// Returns the service of an accessory for a text such as `Lightbulb`, `Lightbulb (2)`, or a name.
    private func service(_ designation: String, of accessory: String) -> HomeService? {
        guard let (accessory, positions) = accessories[Self.key(of: accessory)] else { return nil }
        return positions.position(of: ServiceLabel(designation)).map { accessory.services[$0] }
    }

    /// The result of looking up a characteristic.
    enum LookupResult {
        case characteristic(CharacteristicSelector)
        case noService(String)
        case noCharacteristic(HomeService, String)
    }

    /// Returns the characteristic for a text such as `Garage Light/On` or `Kilgo Garage/Lightbulb/On`.
    func characteristic(_ text: String) -> LookupResult {
        guard text.utf8.count <= Self.maximumLength else { return .noService(text) }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return .noService(text) }
        var found: LookupResult = .noService(parts[0])
        if let id = visibleIDs[Self.key(of: parts[0])], let service = services[id] {
            found = Self.characteristic(parts[1], of: service)
            if case .characteristic = found { return found }
        }
        let rest = parts[1].split(separator: "/", maxSplits: 1).map(String.init)
        guard rest.count == 2, let service = service(rest[0], of: parts[0]) else { return found }
        return Self.characteristic(rest[1], of: service)
    }

    private static func characteristic(_ text: String, of service: HomeService) -> LookupResult {
        if let found = service.characteristic(named: text) {
            return .characteristic(CharacteristicSelector(service: service.id, type: found.type))
        }
        return .noCharacteristic(service, text)
    }

    /// Returns the key of a name; a text that is too long for a name has an empty key, which no name has.
    static func key(of text: String) -> String {
        text.utf8.count <= 4 * ObjectName.maximumByteCount ? ObjectName.key(of: text) : ""
    }
}

extension HomeService {
    /// Returns the characteristic for a text: its type, the UUID of its type, or a description that only one
    /// characteristic has.
    package func characteristic(named text: String) -> HomeCharacteristic? {
        guard text.utf8.count <= ServiceNameIndex.maximumLength else { return nil }
        if let type = CharacteristicType(nameOrUUID: text), let found = characteristic(type) { return found }
        let key = Catalog.key(text)
        let described = characteristics.filter { $0.description.map(Catalog.key) == key }
        return described.count == 1 ? described.first : nil
    }
}

extension HomeError {
    /// Returns an error for a text that is not a characteristic of a service.
    static func noSuchCharacteristic(
        _ text: String,
        of service: HomeService,
        at place: String,
        _ spelling: inout SpellingSuggester
    ) -> HomeError {
        let names = service.characteristics.lazy.map(\.type.nameOrUUID)
        let remedy =
            spelling.nearest(to: text, among: names).map { "Did you mean \($0)?" }
            ?? "It has \(names.prefix(20).joined(separator: ", "))."
        return HomeError(
            .noSuchCharacteristic,
            at: place,
            "\(service.name) has no \(ObjectName.quoted(text)).",
            remedy: remedy
        )
    }
}
