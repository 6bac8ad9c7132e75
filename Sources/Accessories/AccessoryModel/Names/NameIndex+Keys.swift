extension NameIndex {
    /// Returns names in which those that occur several times are numbered, such as `Lamp 1` and `Lamp 2`.
    ///
    /// - Parameter taken: The keys of names that must not result; such a number is skipped.
    package static func numbered(_ names: [String], taken: Set<String>) -> [String] {
        let keys = names.map { key($0) }
        var counts: [String: Int] = [:]
        for key in keys { counts[key, default: 0] += 1 }
        guard counts.count < keys.count else { return names }
        var last: [String: Int] = [:]
        return zip(names, keys)
            .map { name, key in
                guard counts[key, default: 0] > 1 else { return name }
                var number = last[key, default: 0] + 1
                while taken.contains(Self.key("\(name) \(number)")) { number += 1 }
                last[key] = number
                return "\(name) \(number)"
            }
    }

    /// Returns the key of a name, or of several names with `/` between them.
    package static func key(_ text: String) -> String {
        parts(text).map { isID($0) ? String($0) : Catalog.key($0.lowercased().filter { !$0.isApostrophe }) }
            .joined(separator: "/")
    }

    /// Returns the keys of several names in their order, without duplicates.
    package static func keys(_ names: [String]) -> [String] {
        var known: Set<String> = []
        return names.map(key).filter { known.insert($0).inserted }
    }

    /// Returns the keys of a text: one as written, and one with full stops as separators.
    static func paths(_ text: String) -> [String] {
        guard text.utf8.count <= maximumByteCount else { return [] }
        let (path, dotted) = (key(text), key(dotted(text)))
        return path == dotted ? [path] : [path, dotted]
    }

    /// Returns a text with full stops as separators.
    static func dotted(_ text: String) -> String {
        parts(text).map { isID($0) ? String($0) : String($0.map { $0 == "." ? "/" : $0 }) }.joined(separator: "/")
    }

    static func parts(_ text: String) -> [Substring] {
        text.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Returns whether a name is an id such as `1.9`, in which the full stop is not a separator.
    private static func isID(_ name: Substring) -> Bool {
        name.contains(".")
            && name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
