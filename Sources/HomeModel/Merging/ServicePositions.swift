internal import AccessoryModel

/// The positions of an accessory's services by what a file may call them.
struct ServicePositions {
    private var byType: [ServiceType: [Int]] = [:]
    /// The services that people see, by the keys of their names.
    private var byName: [String: [Int]] = [:]
    /// The services by the keys of the names under which they are announced.
    private var byAnnouncedName: [String: [Int]] = [:]

    /// - Parameter announced: What the accessory announces; counts only when it has as many services.
    init(of services: [HomeService], announced: RemoteAccessory? = nil) {
        for position in services.indices {
            byType[services[position].type, default: []].append(position)
            if services[position].isVisible { byName[services[position].name.key, default: []].append(position) }
        }
        guard let announced, announced.services.count == services.count else { return }
        for position in announced.services.indices {
            guard let name = announced.services[position].ownName else { continue }
            byAnnouncedName[ObjectName.key(of: name), default: []].append(position)
        }
    }

    /// The position of the service that is meant; `nil` when it is none, or one of several.
    ///
    /// A text that is a type and a name is the type.
    func position(of designation: ServiceLabel) -> Int? {
        if let type = designation.type {
            let positions = byType[type] ?? []
            if let number = designation.number {
                return number <= positions.count ? positions[number - 1] : nil
            }
            if positions.count == 1 { return positions[0] }
        }
        if let named = byName[designation.key], named.count == 1 { return named[0] }
        let called = byAnnouncedName[designation.key] ?? []
        return called.count == 1 ? called[0] : nil
    }

    /// The position of the first service that people see under a name.
    func first(named name: ObjectName) -> Int? {
        byName[name.key]?.min()
    }

    /// How many services are of the type that a designation is.
    func count(of designation: ServiceLabel) -> Int {
        designation.type.flatMap { byType[$0]?.count } ?? 0
    }

    /// Takes over that a service has another name.
    mutating func rename(_ position: Int, from old: ObjectName, to new: ObjectName) {
        guard let index = byName[old.key]?.firstIndex(of: position) else { return }
        byName[old.key]?.remove(at: index)
        byName[new.key, default: []].append(position)
    }
}
