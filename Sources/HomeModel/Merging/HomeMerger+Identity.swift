internal import AccessoryModel
internal import Documents
internal import HAPCore

extension HomeMerger {
    /// Finds out which accessories of the home, and of what is known, are those of the file.
    mutating func identifyAccessories() {
        // A bridge is meant by what the home calls it, and known by its alias.
        let aliases = document.accessories.keyed(by: \.chosenName?.key, \.accessory.value)
        for (position, accessory) in document.accessories.enumerated() {
            knownAt[position] = known(accessory, at: position, aliases)
        }
        placed = Array(repeating: nil, count: document.accessories.count)
        var takers: [ObjectID<HomeAccessory>: Int] = [:]
        identifyByPlace(&takers)
        identifyByName(&takers)
        for (position, id) in placed.enumerated() {
            if let id {
                announced[id] = knownAt[position]?.announced
            }
        }
    }

    /// What is known of an accessory of the file; notes when it may be several.
    private mutating func known(
        _ accessory: HomeDescription.Accessory,
        at position: Int,
        _ aliases: [String: String]
    ) -> KnownAccessory? {
        if let reference = accessory.reference, let found = known.accessory(at: reference) { return found }
        let bridge = accessory.bridge.map { aliases[MergeDirectory.key(of: $0.value)] ?? $0.value }
        var found = known.accessories(named: accessory.accessory.value, behind: bridge)
        if let reference = accessory.reference {
            // What is elsewhere is another one, whatever it is called.
            elsewhere[position] = found.lazy.compactMap(\.reference).first
            found.removeAll { $0.reference != nil && $0.reference != reference }
        } else if let aid = accessory.aid {
            found.removeAll { $0.reference?.aid != aid }
        }
        if found.count > 1 {
            let reason = "\(found.count) accessories are called \(ObjectName.quoted(accessory.accessory.value))."
            let remedy = "Say which one with \"deviceID\" and \"aid\"."
            report(accessory.accessory.location, .ambiguousName, reason, remedy: remedy)
        }
        return found.first
    }

    private mutating func identifyByPlace(_ takers: inout [ObjectID<HomeAccessory>: Int]) {
        let byReference = home.accessories.keyed(by: \.reference, \.id)
        for (position, accessory) in document.accessories.enumerated() {
            let references = [accessory.reference, knownAt[position]?.reference]
            guard let id = references.lazy.compactMap({ $0.flatMap { byReference[$0] } }).first else { continue }
            if takers[id] == nil {
                takers[id] = position
                placed[position] = id
            } else {
                reportRepeated(position)
            }
        }
    }

    /// Finds those that are known by their names alone; what has been found by its place is nobody else.
    private mutating func identifyByName(_ takers: inout [ObjectID<HomeAccessory>: Int]) {
        let byName = home.accessories.idsByName
        let byAlias = home.accessories.keyed(by: { $0.alias.map(MergeDirectory.key) }, \.id)
        for (position, accessory) in document.accessories.enumerated()
        where placed[position] == nil && !repeated.contains(position) {
            let key = MergeDirectory.key(of: accessory.accessory.value)
            let sensible = ObjectName(sensibly: accessory.accessory.value)
            let called = [
                accessory.name.flatMap { byName[$0.value.key] }, byName[key], byAlias[key],
                sensible.flatMap { byName[$0.key] },
            ]
            let hasPlace = accessory.reference != nil || knownAt[position]?.reference != nil
            let candidates = called.compactMap(\.self)
                .filter { id in
                    guard let candidate = home.accessory(id) else { return false }
                    return !hasPlace || candidate.reference == nil || !candidate.isFound
                }
            if let id = candidates.first(where: { takers[$0] == nil }) {
                takers[id] = position
                placed[position] = id
            } else if candidates.contains(where: { id in
                takers[id].map { document.accessories[$0].means(the: accessory) } ?? false
            }) {
                reportRepeated(position)
            }
        }
    }

    private mutating func reportRepeated(_ position: Int) {
        let accessory = document.accessories[position].accessory
        repeated.insert(position)
        let reason = "\(ObjectName.quoted(accessory.value)) stands in the file twice."
        report(accessory.location, .accessoryTwice, reason, remedy: "Put both together.")
    }
}

extension HomeDescription.Accessory {
    /// Whether another entry is about the same accessory, for all that both say.
    fileprivate func means(the other: HomeDescription.Accessory) -> Bool {
        reference == other.reference && aid == other.aid
            && MergeDirectory.key(of: accessory.value) == MergeDirectory.key(of: other.accessory.value)
    }
}

extension HomeAccessory {
    /// Whether it has been found once: what only a file tells of has no numbers.
    var isFound: Bool {
        services.contains { $0.iid != nil }
    }
}
