internal import AccessoryModel
internal import HAPCore

/// Reads a phrase as the fewest names and words that it can be.
struct PhraseParser {
    private let words: [String]
    private let directory: HomeDirectory
    private var parses: [Parse] = []
    /// How many parts may still be looked at; more than any phrase needs that a person would say.
    private var remainingAttempts = 20_000

    /// One way to understand the words.
    private struct Parse {
        var entries: [HomeDirectory.Entry] = []
        var types: [ServiceType]?
        var properties: [CharacteristicType]?

        /// What it means, for people who must choose.
        var text: String {
            let words = [types?.first?.description, properties?.first?.description].compactMap(\.self)
            return (entries.map(\.text) + words).joined(separator: " + ")
        }
    }

    init(_ words: [String], in directory: HomeDirectory) {
        self.words = words
        self.directory = directory
    }

    /// The only thing that the phrase means.
    mutating func match(for phrase: String) throws(HomeError) -> PhraseMatch {
        // What has a meaning and nothing in it.
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

    /// Collects the readings of the words from a position on that have so many parts.
    private mutating func parse(from start: Int, parts: Int, _ reading: Parse) {
        guard start < words.count else {
            if parts == 0 {
                parses.append(reading)
            }
            return
        }
        // A phrase of many words that are names in many ways has more readings than anybody tells apart.
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

    /// Goes on with everything that some words can be as one part.
    ///
    /// A name goes before a word.
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

    /// What a reading means, `nil` when that is nothing.
    private func match(of reading: Parse) -> PhraseMatch? {
        if let scene = reading.entries.lazy.compactMap(\.scene).first {
            // A scene is meant whole; at most its home stands beside it.
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
        // What it is and its name is said in one way only; a word for a property alone would mean several things again.
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
        let reason = "Nothing in the home is called so."
        return HomeError(.unknownObject, at: ObjectName.quoted(phrase), reason, remedy: remedy)
    }
}

extension Substring {
    /// The text without the spaces at its end.
    fileprivate var trimmed: Substring {
        var text = self
        while text.last == " " {
            text.removeLast()
        }
        return text
    }
}
