internal import HAPCore

/// The file `cachedAccessories`, in which homebridge stores its plugins' accessories.
///
/// It resembles a dump, but its accessories, services and characteristics have no ids.
enum HomebridgeCache {
    /// The reason why the file cannot be served, and an alternative.
    static let refusalReason = """
        this is a cachedAccessories file of homebridge, which has no aid and no iid, so it cannot be served; pair with \
        homebridge, and save its response to GET /accessories
        """

    static func recognizes(_ root: JSONValue) -> Bool {
        let objects = (root.array ?? []).lazy.compactMap(\.object)
        guard let first = objects.first, first["aid"] == nil, first["UUID"]?.string != nil else { return false }
        let service = first["services"]?.array?.first?.object
        return first["plugin"] != nil || first["platform"] != nil || service?["constructorName"] != nil
    }
}
