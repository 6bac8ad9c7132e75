internal import AccessoryModel

/// Names without what does not count in them.
enum SimulationNameKey {
    /// The key of a name, or of names with `/` between them.
    static func key(_ text: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                // In an id the full stop counts.
                part.contains(".") && part.utf8.allSatisfy(isOfID) ? String(part) : Catalogue.key(part.lowercased())
            }
            .joined(separator: "/")
    }

    /// The keys of several names, each once, in their order.
    static func keys(_ names: [String]) -> [String] {
        var keys: [String] = []
        for name in names {
            let key = key(name)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    private static func isOfID(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
