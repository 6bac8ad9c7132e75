internal import AccessoryModel
internal import Documents
internal import HAPCore

/// The accessories of a file, each matched with a known accessory and with one of the home.
struct MergedAccessories {
    /// An accessory of the file.
    struct Entry {
        /// The description in the file.
        let described: HomeDescription.Accessory
        /// The matching known accessory.
        var known: KnownAccessory?
        /// The location of an accessory with the same name, if it differs from the location in the file.
        var conflictingReference: AccessoryReference?
        /// Whether an earlier entry describes the same accessory.
        var isRepeated = false
        /// The id of the matching accessory in the home.
        var id: ObjectID<HomeAccessory>?

        /// Returns whether another entry appears to describe the same accessory.
        fileprivate func isSame(as other: Entry) -> Bool {
            described.reference == other.described.reference && described.aid == other.described.aid
                && ServiceNameIndex.key(of: described.accessory.value)
                    == ServiceNameIndex.key(of: other.described.accessory.value)
        }
    }

    /// The accessories, in the order of the file.
    private(set) var entries: [Entry]
    /// Whether the services of a missing accessory are unknown; an unknown service name may then be one of them.
    var hasUnknownServices = false
    /// The names of all known accessories, for suggestions.
    let knownNames: [String]
    /// The announced services of the home's accessories, as far as they are known.
    private(set) var announced: [ObjectID<HomeAccessory>: RemoteAccessory] = [:]

    /// Matches the accessories of the file with those of the home and with the known ones.
    init(
        _ described: [HomeDescription.Accessory],
        in home: Home,
        _ known: KnownAccessories,
        _ diagnostics: inout MergeDiagnostics
    ) {
        // A file refers to a bridge by its name in the home, but known accessories refer to it by its alias.
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

    /// The ids of the home's accessories that are in the file.
    var ids: Set<ObjectID<HomeAccessory>> { Set(entries.compactMap(\.id)) }

    /// Returns whether an accessory is not known and was never found, even if a file contains its location.
    func isMissing(_ accessory: HomeAccessory) -> Bool {
        announced[accessory.id] == nil && !accessory.wasDiscovered
    }

    /// Records the id of an accessory that was added to the home.
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

    /// Matches accessories by name, except for those that were found at another location.
    private mutating func matchByName(
        in home: Home,
        _ takers: inout [ObjectID<HomeAccessory>: Int],
        _ diagnostics: inout MergeDiagnostics
    ) {
        let names = ObjectNames(home.accessories)
        let byID = home.accessories.byID
        let byAlias = home.accessories.keyed(by: { $0.alias.map(ServiceNameIndex.key) }, \.id)
        for (position, entry) in entries.enumerated() where entry.id == nil && !entry.isRepeated {
            let text = entry.described.accessory.value
            let key = ServiceNameIndex.key(of: text)
            let sensible = ObjectName(cleaning: text)
            let called = [
                entry.described.name.flatMap { names.id(key: $0.value.key) }, names.id(key: key), byAlias[key],
                sensible.flatMap { names.id(key: $0.key) },
            ]
            let hasPlace = entry.described.reference != nil || entry.known?.reference != nil
            let candidates = called.compactMap(\.self)
                .filter { id in
                    guard let candidate = byID[id] else { return false }
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
        let reason = "\(ObjectName.quoted(accessory.value)) is in the file twice."
        diagnostics.report(accessory.location, .accessoryTwice, reason, remedy: "Combine both entries.")
    }
}

extension MergedAccessories.Entry {
    /// Finds the known accessory for an entry, and reports an error if there are several.
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
            // An accessory at another location is a different one, even if it has the same name.
            conflictingReference = found.lazy.compactMap(\.reference).first
            found.removeAll { $0.reference != nil && $0.reference != reference }
        } else if let aid = described.aid {
            found.removeAll { $0.reference?.aid != aid }
        }
        if found.count > 1 {
            let reason = "\(found.count) accessories are called \(ObjectName.quoted(described.accessory.value))."
            let remedy = "Select one with \"deviceID\" and \"aid\"."
            diagnostics.report(described.accessory.location, .ambiguousName, reason, remedy: remedy)
        }
        self.known = found.first
    }
}

extension HomeAccessory {
    /// Whether the accessory was ever found; one that is known only from a file has no instance IDs.
    var wasDiscovered: Bool {
        services.contains { $0.iid != nil }
    }
}
