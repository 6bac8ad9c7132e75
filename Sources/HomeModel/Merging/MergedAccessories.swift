internal import AccessoryModel
internal import Documents
internal import HAPCore

/// The accessories of a file: for each, what is known of it, and which one of the home it is.
struct MergedAccessories {
    /// An accessory of the file.
    struct Entry {
        /// What the file says.
        let described: HomeDescription.Accessory
        /// What is known of it.
        var known: KnownAccessory?
        /// Where an accessory with its name is that is not where the file says.
        var conflictingReference: AccessoryReference?
        /// Whether an earlier entry is about the same accessory.
        var isRepeated = false
        /// Which one of the home it is.
        var id: ObjectID<HomeAccessory>?

        /// Whether another entry is about the same accessory, for all that both say.
        fileprivate func isSame(as other: Entry) -> Bool {
            described.reference == other.described.reference && described.aid == other.described.aid
                && ServiceNameIndex.key(of: described.accessory.value)
                    == ServiceNameIndex.key(of: other.described.accessory.value)
        }
    }

    /// The accessories in the order of the file.
    private(set) var entries: [Entry]
    /// Whether an accessory is missing of whose services nothing is known: then an unknown name may be that of one.
    var hasUnknownServices = false
    /// The names of all accessories that are known, for suggestions.
    let knownNames: [String]
    /// What the accessories of the home announce, as far as it is known.
    private(set) var announced: [ObjectID<HomeAccessory>: RemoteAccessory] = [:]

    /// Finds out which accessories of the home, and of what is known, are those of the file.
    init(
        _ described: [HomeDescription.Accessory],
        in home: Home,
        _ known: KnownAccessories,
        _ diagnostics: inout MergeDiagnostics
    ) {
        // A bridge is meant by what the home calls it, and known by its alias.
        let aliases = described.keyed(by: \.initialName?.key, \.accessory.value)
        entries = described.map { Entry($0, known, aliases, &diagnostics) }
        knownNames = known.names
        var takers: [ObjectID<HomeAccessory>: Int] = [:]
        matchByReference(in: home, &takers, &diagnostics)
        matchByName(in: home, &takers, &diagnostics)
        for entry in entries {
            if let id = entry.id { announced[id] = entry.known?.announced }
        }
    }

    /// The accessories of the home that are in the file.
    var ids: Set<ObjectID<HomeAccessory>> { Set(entries.compactMap(\.id)) }

    /// Whether an accessory was never found and is not known, whatever a file says of where it is.
    func isMissing(_ accessory: HomeAccessory) -> Bool {
        announced[accessory.id] == nil && !accessory.wasDiscovered
    }

    /// Takes over that the home has an accessory of the file now.
    mutating func assign(_ position: Int, as id: ObjectID<HomeAccessory>) {
        entries[position].id = id
        announced[id] = entries[position].known?.announced
    }

    private mutating func matchByReference(
        in home: Home,
        _ takers: inout [ObjectID<HomeAccessory>: Int],
        _ diagnostics: inout MergeDiagnostics
    ) {
        let byReference = home.accessories.keyed(by: \.reference, \.id)
        for (position, entry) in entries.enumerated() {
            let references = [entry.described.reference, entry.known?.reference]
            guard let id = references.lazy.compactMap({ $0.flatMap { byReference[$0] } }).first else { continue }
            if takers[id] == nil {
                takers[id] = position
                entries[position].id = id
            } else {
                reportRepeated(position, &diagnostics)
            }
        }
    }

    /// Finds those that are known by their names alone; what has been found by its place is nobody else.
    private mutating func matchByName(
        in home: Home,
        _ takers: inout [ObjectID<HomeAccessory>: Int],
        _ diagnostics: inout MergeDiagnostics
    ) {
        let byName = home.accessories.idsByName
        let byAlias = home.accessories.keyed(by: { $0.alias.map(ServiceNameIndex.key) }, \.id)
        for (position, entry) in entries.enumerated() where entry.id == nil && !entry.isRepeated {
            let text = entry.described.accessory.value
            let key = ServiceNameIndex.key(of: text)
            let sensible = ObjectName(cleaning: text)
            let called = [
                entry.described.name.flatMap { byName[$0.value.key] }, byName[key], byAlias[key],
                sensible.flatMap { byName[$0.key] },
            ]
            let hasPlace = entry.described.reference != nil || entry.known?.reference != nil
            let candidates = called.compactMap(\.self)
                .filter { id in
                    guard let candidate = home.accessory(id) else { return false }
                    return !hasPlace || candidate.reference == nil || !candidate.wasDiscovered
                }
            if let id = candidates.first(where: { takers[$0] == nil }) {
                takers[id] = position
                entries[position].id = id
            } else if candidates.contains(where: { takers[$0].map { entries[$0].isSame(as: entry) } ?? false }) {
                reportRepeated(position, &diagnostics)
            }
        }
    }

    private mutating func reportRepeated(_ position: Int, _ diagnostics: inout MergeDiagnostics) {
        let accessory = entries[position].described.accessory
        entries[position].isRepeated = true
        let reason = "\(ObjectName.quoted(accessory.value)) stands in the file twice."
        diagnostics.report(accessory.location, .accessoryTwice, reason, remedy: "Put both together.")
    }
}

extension MergedAccessories.Entry {
    /// Looks for what is known of an accessory of the file; notes when it may be several.
    fileprivate init(
        _ described: HomeDescription.Accessory,
        _ known: KnownAccessories,
        _ aliases: [String: String],
        _ diagnostics: inout MergeDiagnostics
    ) {
        self.init(described: described)
        if let reference = described.reference, let found = known.accessory(at: reference) {
            self.known = found
            return
        }
        let bridge = described.bridge.map { aliases[ServiceNameIndex.key(of: $0.value)] ?? $0.value }
        var found = known.accessories(named: described.accessory.value, behind: bridge)
        if let reference = described.reference {
            // What is elsewhere is another one, whatever it is called.
            conflictingReference = found.lazy.compactMap(\.reference).first
            found.removeAll { $0.reference != nil && $0.reference != reference }
        } else if let aid = described.aid {
            found.removeAll { $0.reference?.aid != aid }
        }
        if found.count > 1 {
            let reason = "\(found.count) accessories are called \(ObjectName.quoted(described.accessory.value))."
            let remedy = "Say which one with \"deviceID\" and \"aid\"."
            diagnostics.report(described.accessory.location, .ambiguousName, reason, remedy: remedy)
        }
        self.known = found.first
    }
}

extension HomeAccessory {
    /// Whether it has been found once: what only a file tells of has no numbers.
    var wasDiscovered: Bool {
        services.contains { $0.iid != nil }
    }
}
