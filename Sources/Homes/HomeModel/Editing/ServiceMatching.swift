internal import AccessoryModel
internal import HAPCore

/// A mapping of an accessory's current services to the services that the home already knows.
struct ServiceMatching {
    /// For each announced service, the index of the known service, or `nil` if the service is new.
    private(set) var matched: [Int?]
    /// The indices of known services that no longer exist.
    private(set) var removed: Set<Int>

    /// Matches services in order: by instance ID and type, then by type and name, then by type alone.
    init(_ announced: [RemoteService], with services: [HomeService]) {
        matched = Array(repeating: nil, count: announced.count)
        removed = Set(services.indices)
        match(announced, with: services) {
            Key(type: $0.type, iid: $0.iid)
        } key: { service in
            service.iid.map { Key(type: service.type, iid: $0) }
        }
        match(announced, with: services) { service in
            service.ownName.flatMap(ObjectName.init(cleaning:)).map { Key(type: service.type, name: $0.key) }
        } key: { service in
            Key(type: service.type, name: service.name.key)
        }
        match(announced, with: services) {
            Key(type: $0.type)
        } key: {
            Key(type: $0.type)
        }
    }

    private struct Key: Hashable {
        var type: ServiceType
        var iid: InstanceID?
        var name: String?
    }

    private mutating func match(
        _ announced: [RemoteService],
        with services: [HomeService],
        _ announcedKey: (RemoteService) -> Key?,
        key: (HomeService) -> Key?
    ) {
        // In reverse order, so that `popLast()` returns the first one.
        var free: [Key: [Int]] = [:]
        for index in services.indices.reversed() where removed.contains(index) {
            if let key = key(services[index]) {
                free[key, default: []].append(index)
            }
        }
        for index in announced.indices where matched[index] == nil {
            guard let key = announcedKey(announced[index]), let match = free[key]?.popLast() else { continue }
            matched[index] = match
            removed.remove(match)
        }
    }
}
