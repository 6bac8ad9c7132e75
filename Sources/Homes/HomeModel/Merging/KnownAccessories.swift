internal import HAPCore

/// The known accessories by name and by location.
struct KnownAccessories {
    private let byName: [String: [KnownAccessory]]
    private let byCleanedName: [String: [KnownAccessory]]
    private let byReference: [AccessoryReference: KnownAccessory]
    /// All names, for suggestions.
    let names: [String]

    init(_ known: [KnownAccessory]) {
        byName = Dictionary(grouping: known) { Self.key($0.name) }
        byCleanedName = Dictionary(grouping: known) { ObjectName(cleaning: $0.name)?.key ?? "" }
        byReference = known.keyed(by: \.reference, \.self)
        names = known.map(\.name)
    }

    /// Returns the accessory at a location, or `nil` if there is none.
    func accessory(at reference: AccessoryReference) -> KnownAccessory? {
        byReference[reference]
    }

    /// Returns the accessories with a name, preferably those behind a bridge if one is given.
    func accessories(named name: String, behind bridge: String?) -> [KnownAccessory] {
        // An accessory may announce an invalid name, and the home has a cleaned one.
        let found = byName[Self.key(name)] ?? ObjectName(cleaning: name).flatMap { byCleanedName[$0.key] } ?? []
        guard let bridge else { return found }
        let key = Self.key(bridge)
        let behind = found.filter { $0.bridge.map(Self.key) == key }
        return behind.isEmpty ? found : behind
    }

    private static func key(_ name: String) -> String {
        // No name is that long, and computing the key of a megabyte would be expensive.
        ObjectName.key(of: String(decoding: name.utf8.prefix(4 * ObjectName.maximumByteCount), as: UTF8.self))
    }
}
