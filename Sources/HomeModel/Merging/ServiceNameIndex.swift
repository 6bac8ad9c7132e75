internal import AccessoryModel
internal import HAPCore

/// The services of a home by the names under which a file speaks of them.
struct ServiceNameIndex {
    /// How many bytes a text may have that names something.
    static let maximumLength = 1_024

    /// Every service.
    private(set) var services: [ObjectID<HomeService>: HomeService] = [:]
    /// What people see is called so.
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

    /// Whether people see a service with the name.
    func isVisible(_ name: ObjectName) -> Bool {
        visibleIDs[name.key] != nil
    }

    /// The service that a text names: `Garage Light`, or `Kilgo Garage/Lightbulb`.
    func service(_ text: String) -> ObjectID<HomeService>? {
        if let id = visibleIDs[Self.key(of: text)] { return id }
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let parts = text.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? service(String(parts[1]), of: String(parts[0]))?.id : nil
    }

    /// The service of an accessory: `Lightbulb`, `Lightbulb (2)`, or a name.
    private func service(_ designation: String, of accessory: String) -> HomeService? {
        guard let (accessory, positions) = accessories[Self.key(of: accessory)] else { return nil }
        return positions.position(of: ServiceLabel(designation)).map { accessory.services[$0] }
    }

    /// What a text with a characteristic names.
    enum LookupResult {
        case characteristic(CharacteristicSelector)
        case noService(String)
        case noCharacteristic(HomeService, String)
    }

    /// The characteristic that a text names: `Garage Light/On`, or `Kilgo Garage/Lightbulb/On`.
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

    /// A name without what does not count in it; of what is too long for a name, nobody's.
    static func key(of text: String) -> String {
        text.utf8.count <= 4 * ObjectName.maximumByteCount ? ObjectName.key(of: text) : ""
    }
}

/// The things of one kind by the names under which a file speaks of them.
struct ObjectNames<Thing: HomeObject> {
    /// The names as texts, for suggestions.
    let names: [String]
    private let ids: [String: ObjectID<Thing>]

    init(_ things: [Thing]) {
        names = things.map(\.name.text)
        ids = things.idsByName
    }

    /// The thing with a name; of two, the first.
    subscript(text: String) -> ObjectID<Thing>? { ids[ServiceNameIndex.key(of: text)] }
}

extension HomeService {
    /// The characteristic that a text names: by its type, the type's UUID, or the description that no other one has.
    package func characteristic(named text: String) -> HomeCharacteristic? {
        guard text.utf8.count <= ServiceNameIndex.maximumLength else { return nil }
        if let type = CharacteristicType(nameOrUUID: text), let found = characteristic(type) { return found }
        let key = Catalog.key(text)
        let described = characteristics.filter { $0.description.map(Catalog.key) == key }
        return described.count == 1 ? described.first : nil
    }
}

extension Home {
    /// The characteristic that a text names: as in a home file, or a phrase for a service and one of its properties.
    ///
    /// - Throws: ``HomeError``: the text names none, or several.
    package func characteristic(named text: String) throws(HomeError) -> CharacteristicSelector {
        switch ServiceNameIndex(self).characteristic(text) {
        case .characteristic(let selector): return selector
        case .noCharacteristic(let service, let name):
            var spelling = SpellingSuggester()
            throw .noSuchCharacteristic(name, of: service, at: "\(self.name)/\(service.name)", &spelling)
        case .noService: break
        }
        let match = try HomePhraseResolver.resolve(text, in: self)
        guard case .services(let ids) = match.target, ids.count == 1,
            let type = match.property ?? service(ids[0])?.primaryCharacteristic?.type
        else {
            let reason = "\(ObjectName.quoted(text)) is not one property of one service."
            let remedy = "Write SERVICE/PROPERTY, such as \"Garage Door/Current Door State\"."
            throw HomeError(.ambiguousName, at: name.text, reason, remedy: remedy)
        }
        return CharacteristicSelector(service: ids[0], type: type)
    }

    /// A characteristic with a value, both as people write them.
    ///
    /// - Throws: ``HomeError``: the text names no characteristic or several, or the value is none of it.
    package func action(setting text: String, to value: String) throws(HomeError) -> HomeAction {
        let selector = try characteristic(named: text)
        let place = "\(name)/\(service(selector.service)?.name.text ?? "")"
        guard let known = characteristic(selector) else {
            throw .noSuchCharacteristic(selector.type, of: text, at: place)
        }
        guard let meant = known.base.value(of: value) else { throw .invalidValue(value, of: known, at: place) }
        return HomeAction(characteristic: selector, value: meant)
    }

    /// The state that a phrase such as `garage door` and a value such as `open` describe.
    ///
    /// A service that is named without a property means its current state, not what was requested of it: Current Door
    /// State and not Target Door State, if both have the value.
    ///
    /// - Throws: ``HomeError`` as ``action(setting:to:)``.
    package func state(of text: String, being value: String) throws(HomeError) -> HomeAction {
        let requested = try action(setting: text, to: value)
        let target = requested.characteristic
        guard !text.contains("/"), (try? HomePhraseResolver.resolve(text, in: self).property) == nil,
            let service = service(target.service), let known = service.characteristic(target.type),
            let currentType = Catalog.current(ofTarget: target.type),
            let current = service.characteristic(currentType),
            current.metadata.value(from: requested.value, isStrict: false) == requested.value
        else { return requested }
        // Values with names must mean the same: 1 is Heat of a target, and Idle of some current states.
        guard known.base.name(of: requested.value) == current.base.name(of: requested.value) else { return requested }
        return HomeAction(
            characteristic: CharacteristicSelector(service: target.service, type: currentType),
            value: requested.value
        )
    }
}

extension HomeError {
    /// A service does not have the characteristic that a text names.
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
