internal import AccessoryModel

/// The indices of an accessory's services by the labels that a file may use.
struct ServicePositions {
    private var byType: [ServiceType: [Int]] = [:]
    /// The indices of visible services by the keys of their names.
    private var byName: [String: [Int]] = [:]
    /// The indices of services by the keys of their announced names.
    private var byAnnouncedName: [String: [Int]] = [:]

    /// - Parameter announced: The announced services; used only if their number is the same.
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

    /// Returns the index of the service for a label, or `nil` if there is none or there are several.
    ///
    /// A text that is both a type and a name counts as the type.
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

    /// Returns the index of the first visible service with a name.
    func first(named name: ObjectName) -> Int? {
        byName[name.key]?.min()
    }

    /// Returns the number of services of the label's type.
    func count(of designation: ServiceLabel) -> Int {
        designation.type.flatMap { byType[$0]?.count } ?? 0
    }

    /// Records the new name of a service.
    mutating func rename(_ position: Int, from old: ObjectName, to new: ObjectName) {
        guard let index = byName[old.key]?.firstIndex(of: position) else { return }
        byName[old.key]?.remove(at: index)
        byName[new.key, default: []].append(position)
    }
}
