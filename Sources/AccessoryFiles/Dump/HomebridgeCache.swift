internal import HAPCore

/// What homebridge stores of its plugins' accessories in `cachedAccessories`.
///
/// It looks like a dump and is none: neither accessories nor services nor characteristics have ids in it.
enum HomebridgeCache {
    /// Why it cannot be served, and what can.
    static let refusalReason = """
        this is a cachedAccessories file of homebridge, in which its plugins store accessories: it has no aid and no iid, \
        so it is not what a controller receives; pair with homebridge by 'hap pair', and save its answer by 'hap \
        accessories ALIAS --json > bridge.json'
        """

    static func recognizes(_ root: JSONValue) -> Bool {
        let objects = (root.array ?? []).lazy.compactMap(\.object)
        guard let first = objects.first, first["aid"] == nil, first["UUID"]?.string != nil else { return false }
        let service = first["services"]?.array?.first?.object
        return first["plugin"] != nil || first["platform"] != nil || service?["constructorName"] != nil
    }
}
