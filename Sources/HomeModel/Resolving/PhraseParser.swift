internal import AccessoryModel
internal import HAPCore

/// A parser that interprets a phrase with as few names and words as possible.
struct PhraseParser {
    private let words: [String]
    private let directory: HomeDirectory
    private var parses: [Parse] = []
    /// The number of parts that may still be tried; the initial number is more than any real phrase needs.
    private var remainingAttempts = 20_000

    /// An interpretation of the words.
    private struct Parse {
        var entries: [HomeDirectory.Entry] = []
        var types: [ServiceType]?
        var properties: [CharacteristicType]?

        /// The interpretation, for a choice between several.
        var text: String {
            let words = [types?.first?.description, properties?.first?.description].compactMap(\.self)
            return (entries.map(\.text) + words).joined(separator: " + ")
        }
    }

    init(_ words: [String], in directory: HomeDirectory) {
        self.words = words
        self.directory = directory
    }

    /// Returns the only match of the phrase.
    mutating func match(for phrase: String) throws(HomeError) -> PhraseMatch {
        // The first interpretation that matches nothing.
        var empty: Parse?
        for count in 1...HomePhraseResolver.maximumPartCount {
            parses = []
            parse(from: 0, parts: count, Parse())
            var found: [(match: PhraseMatch, text: String)] = []
            for reading in parses {
                guard let match = match(of: reading) else {
                    empty = empty ?? reading
                    continue
                }
                let known = found.firstIndex { $0.match.target == match.target && $0.match.property == match.property }
                if let known {
                    found[known].match.isMatchedByName = found[known].match.isMatchedByName || match.isMatchedByName
                } else {
                    found.append((match, reading.text))
                }
            }
            if let first = found.first {
                guard found.count > 1 else { return first.match }
                throw ambiguousError(phrase, found.map(\.text))
            }
        }
        if let empty, !empty.entries.isEmpty { throw noMatchError(in: empty, phrase) }
        throw unknownError(phrase)
    }

    /// Collects the interpretations that divide the words from a position on into the given number of parts.
    private mutating func parse(from start: Int, parts: Int, _ reading: Parse) {
        guard start < words.count else {
            if parts == 0 {
                parses.append(reading)
            }
            return
        }
        // A phrase with many ambiguous words could have more interpretations than anyone can distinguish.
        guard parses.count < 32, remainingAttempts > 0 else { return }
        if parts > 0 {
            for end in (start + 1...words.count).reversed() {
                parsePart(words[start..<end], reading) { reader, next in
                    reader.parse(from: end, parts: parts - 1, next)
                }
            }
        }
        if HomeVocabulary.fillers.contains(words[start]) {
            parse(from: start + 1, parts: parts, reading)
        }
    }

    /// Interprets some words as one part, and continues with each possible meaning of that part.
    ///
    /// A name takes precedence over a word for a type or a property.
    private mutating func parsePart(
        _ part: ArraySlice<String>,
        _ reading: Parse,
        then next: (inout PhraseParser, Parse) -> Void
    ) {
        remainingAttempts -= 1
        let entries = directory.entries(named: part)
        for entry in entries {
            var taken = reading
            taken.entries.append(entry)
            next(&self, taken)
        }
        let key = part.joined()
        if let types = HomeVocabulary.types[key], reading.types == nil, entries.isEmpty {
            var taken = reading
            taken.types = types
            next(&self, taken)
        }
        if let properties = HomeVocabulary.properties[key], reading.properties == nil, entries.isEmpty {
            var taken = reading
            taken.properties = properties
            next(&self, taken)
        }
    }

    /// Returns the match for an interpretation, or `nil` if nothing matches.
    private func match(of reading: Parse) -> PhraseMatch? {
        if let scene = reading.entries.lazy.compactMap(\.scene).first {
            // A scene can only be combined with the name of its home.
            let others = reading.entries.filter { $0.scene != scene }
            guard reading.types == nil, reading.properties == nil, others.allSatisfy({ $0.kind == .home }) else {
                return nil
            }
            return PhraseMatch(home: directory.home, target: .scene(scene))
        }
        let scopes = reading.entries.compactMap(directory.services)
        var services = directory.services.filter { service in
            scopes.allSatisfy { $0.contains(service.id) }
                && reading.types?.contains(service.effectiveType) ?? true
        }
        var property: CharacteristicType?
        if let properties = reading.properties {
            property = properties.first { type in services.contains { $0.characteristic(type) != nil } }
            guard let property else { return nil }
            services = services.filter { $0.characteristic(property) != nil }
        }
        guard !services.isEmpty else { return nil }
        return PhraseMatch(
            home: directory.home,
            target: .services(services.map(\.id)),
            property: property,
            isMatchedByName: reading.types != nil || reading.entries.contains { $0.kind == .service }
        )
    }

    private func ambiguousError(_ phrase: String, _ meanings: [String]) -> HomeError {
        let shown = meanings.prefix(8).joined(separator: ", ")
        // The kind of an object with its name is unambiguous, but a word for a property may be ambiguous again.
        let kinds = HomeDirectory.Kind.allCases.map { "\($0.rawValue) " }
        let named = meanings.first { meaning in kinds.contains(where: meaning.hasPrefix) } ?? shown
        let example = named.split(separator: "+").first?.trimmed ?? ""
        return HomeError(
            .ambiguousName,
            at: ObjectName.quoted(phrase),
            "It may mean \(shown)\(meanings.count > 8 ? ", …" : "").",
            remedy: "Say which, such as \(example)."
        )
    }

    private func noMatchError(in reading: Parse, _ phrase: String) -> HomeError {
        let places = reading.entries.map(\.name.text).joined(separator: " and ")
        let reason: String
        if let type = reading.types?.first {
            reason = "There is no \(type) in \(places)."
        } else if reading.properties != nil {
            reason = "Nothing in \(places) has that property."
        } else {
            reason = "There is nothing in \(places) that can be set."
        }
        return HomeError(.unknownObject, at: ObjectName.quoted(phrase), reason)
    }

    private func unknownError(_ phrase: String) -> HomeError {
        let near = SpellingSuggester.suggestions(for: phrase, among: directory.names, count: 3)
        let remedy = near.isEmpty ? nil : "Did you mean \(near.joined(separator: ", "))?"
        let reason = "Nothing in this home has that name."
        return HomeError(.unknownObject, at: ObjectName.quoted(phrase), reason, remedy: remedy)
    }
}

extension Substring {
    /// The text without trailing spaces.
    fileprivate var trimmed: Substring {
        var text = self
        while text.last == " " {
            text.removeLast()
        }
        return text
    }
}
