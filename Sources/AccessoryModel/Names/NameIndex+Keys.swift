extension NameIndex {
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
    private static func dotted(_ text: String) -> String {
        parts(text).map { isID($0) ? String($0) : String($0.map { $0 == "." ? "/" : $0 }) }.joined(separator: "/")
    }

    /// A form of a text that is not the name of an object as it is written.
    struct SpokenForm {
        /// The names, from the outermost to the innermost.
        var names: [String]
        /// The place of the name that is in the other number, or `nil` if only articles are left out.
        var changed: Int?
        /// The name as it was written, if it is in the other number.
        var written: String?

        /// Whether the last name is in the other number.
        var changesLastNumber: Bool { changed == names.count - 1 }
    }

    /// Returns the forms of a text: without articles, and with one of its names in the other number.
    static func spokenForms(of text: String) -> [SpokenForm] {
        guard text.utf8.count <= maximumByteCount else { return [] }
        var forms: [SpokenForm] = []
        for written in Set([text, dotted(text)]).sorted() {
            let names = parts(written).map { SpokenName.withoutArticle(String($0)) }
            guard names.count <= NameLevel.allCases.count else { continue }
            if names.joined(separator: "/") != written { forms.append(SpokenForm(names: names)) }
            for (index, name) in names.enumerated() {
                for other in SpokenName.otherNumbers(of: name) {
                    var names = names
                    names[index] = other
                    forms.append(SpokenForm(names: names, changed: index, written: name))
                }
            }
        }
        return forms
    }

    private static func parts(_ text: String) -> [Substring] {
        text.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Returns whether a name is an id such as `1.9`, in which the full stop is not a separator.
    private static func isID(_ name: Substring) -> Bool {
        name.contains(".")
            && name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
