extension NameIndex {
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

    /// Returns whether the name of a form may be in the other number.
    ///
    /// The name of an object is not changed: if there are `Kid` and `Kids`, then `Kid/Brightness` is not
    /// `Kids/Brightness`, even if only `Kids` has a brightness.
    func canChange(_ form: SpokenForm) -> Bool {
        guard let place = form.changed, let written = form.written, numbersByKey[Self.key(written)] == nil else {
            return false
        }
        let key = Self.key(form.names[place])
        guard key.count > Self.key(written).count else { return true }
        return (numbersByKey[key] ?? []).allSatisfy { SpokenName.isWrittenAsPlural(entries[$0].name) }
    }

    /// Returns whether a name such as `Kid's` may be both `Kids` and a form of `Kid`.
    func isOwnerOfAnotherName(_ text: String) -> Bool {
        guard text.utf8.count <= Self.maximumByteCount, text.contains(where: \.isApostrophe) else { return false }
        return text.split(separator: "/")
            .contains { name in
                guard name.last?.lowercased() == "s", name.dropLast().last?.isApostrophe == true,
                    let whole = numbersByKey[Self.key(String(name))],
                    numbersByKey[Self.key(String(name.dropLast(2)))] != nil
                else { return false }
                return !whole.contains { entries[$0].name.lowercased() == name.lowercased() }
            }
    }

    /// Returns the one match, or an ambiguity if several objects are found.
    static func combined(_ matches: [NameMatch]) -> NameMatch {
        let numbers = Set(
            matches.flatMap { match -> [Int] in
                switch match {
                case .unique(let number): [number]
                case .ambiguous(let numbers): numbers
                case .wrongLevel, .notFound: []
                }
            }
        )
        if let only = numbers.first { return numbers.count == 1 ? .unique(only) : .ambiguous(numbers.sorted()) }
        return matches.first ?? .notFound
    }
}
