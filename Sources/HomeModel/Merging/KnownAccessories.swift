internal import HAPCore

/// The accessories that are known, by name and place.
struct KnownAccessories {
    private let byName: [String: [KnownAccessory]]
    private let byCleanedName: [String: [KnownAccessory]]
    private let byReference: [AccessoryReference: KnownAccessory]
    /// All names, for what is near to a wrong one.
    let names: [String]

    init(_ known: [KnownAccessory]) {
        byName = Dictionary(grouping: known) { Self.key($0.name) }
        byCleanedName = Dictionary(grouping: known) { ObjectName(cleaning: $0.name)?.key ?? "" }
        byReference = known.keyed(by: \.reference, \.self)
        names = known.map(\.name)
    }

    /// The accessory at a place, `nil` when there is none.
    func accessory(at reference: AccessoryReference) -> KnownAccessory? {
        byReference[reference]
    }

    /// The accessories with a name; with a bridge, those behind it.
    func accessories(named name: String, behind bridge: String?) -> [KnownAccessory] {
        // An accessory that the home has under a sensible name may be announced under one that is none.
        let found = byName[Self.key(name)] ?? ObjectName(cleaning: name).flatMap { byCleanedName[$0.key] } ?? []
        guard let bridge else { return found }
        let key = Self.key(bridge)
        let behind = found.filter { $0.bridge.map(Self.key) == key }
        return behind.isEmpty ? found : behind
    }

    private static func key(_ name: String) -> String {
        // No name is that long, and the key of a megabyte need not be made.
        ObjectName.key(of: String(decoding: name.utf8.prefix(4 * ObjectName.maximumByteCount), as: UTF8.self))
    }
}
