internal import AccessoryModel

/// The words of a language and their meanings.
struct PhraseWords: Sendable {
    /// The meanings by the key of one or several words.
    let meanings: [String: [PhraseWord]]
    /// The meanings of several words by their keys with spaces between them.
    let spacedMeanings: [String: [PhraseWord]]
    /// The number of words of the longest entry.
    let longestCount: Int
    /// The words that say what to do, for suggestions.
    let texts: [String]
    /// The words for types and properties, for suggestions.
    let nouns: [String]
    /// The service types for one or several words, by key, and whether the words mean several objects.
    let types: [String: (types: [ServiceType], isPlural: Bool)]
    /// The properties for one or several words, by key, the most likely one first.
    let properties: [String: [CharacteristicType]]
    /// The kinds of objects by the words that can precede their names, as in "room garage".
    let kinds: [String: HomeObjectKind]

    /// Creates a table.
    ///
    /// Apple's names of types and properties, and the everyday names of ``Catalog``, are added to the given ones.
    ///
    /// - Parameters:
    ///   - rows: The meanings, each with its words, separated by commas.
    ///   - types: The words for types. Each of them is also added in the plural.
    ///   - collectives: Words for all objects of types, which have no singular.
    ///   - properties: The words for properties.
    ///   - kinds: The kinds of objects, each with its word.
    ///   - plural: Returns the key of the plural for the key of a noun.
    init(
        _ rows: [(PhraseWord, String)],
        types: [(String, [ServiceType])],
        collectives: [(String, [ServiceType])],
        properties: [(String, [CharacteristicType])],
        kinds: [(HomeObjectKind, String)],
        plural: (String) -> String
    ) {
        var meanings: [String: [PhraseWord]] = [:]
        var spacedMeanings: [String: [PhraseWord]] = [:]
        var texts: [String] = []
        var longest = 1
        for (meaning, words) in rows {
            for word in words.split(separator: ",") {
                let parts = word.split(separator: " ")
                longest = max(longest, parts.count)
                if meaning.isSuggested { texts.append(parts.joined(separator: " ")) }
                meanings[ObjectName.key(of: parts.joined()), default: []].append(meaning)
                guard parts.count > 1 else { continue }
                let spaced = parts.map { ObjectName.key(of: String($0)) }.joined(separator: " ")
                spacedMeanings[spaced, default: []].append(meaning)
            }
        }
        self.meanings = meanings
        self.spacedMeanings = spacedMeanings
        longestCount = longest
        self.types = Self.typesByWord(types, collectives, plural)
        var nouns = types.flatMap { words, _ in words.split(separator: ",").map(String.init) }
        var known: [String: [CharacteristicType]] = [:]
        for characteristic in Catalog.characteristics {
            for name in [characteristic.name, characteristic.id] {
                known[ObjectName.key(of: name), default: []].append(characteristic.type)
            }
        }
        for (words, types) in properties {
            for word in words.split(separator: ",") {
                nouns.append(String(word))
                known[ObjectName.key(of: String(word)), default: []] += types
            }
        }
        self.properties = known
        self.kinds = Dictionary(kinds.map { (ObjectName.key(of: $1), $0) }) { first, _ in first }
        self.texts = texts
        self.nouns = nouns + Catalog.everydayNames.map(\.word)
    }

    private static func typesByWord(
        _ types: [(String, [ServiceType])],
        _ collectives: [(String, [ServiceType])],
        _ plural: (String) -> String
    ) -> [String: (types: [ServiceType], isPlural: Bool)] {
        var found: [String: (types: [ServiceType], isPlural: Bool)] = [:]
        var singulars: [(word: String, types: [ServiceType])] = []
        for service in Catalog.services where service.type != .accessoryInformation {
            singulars += [service.name, service.id].map { ($0, [service.type]) }
        }
        singulars += Catalog.everydayNames.map { ($0.word, $0.types) }
        singulars += types.flatMap { words, types in words.split(separator: ",").map { (String($0), types) } }
        func add(_ key: String, _ types: [ServiceType], isPlural: Bool) {
            let known = found[key]
            let new = types.filter { known?.types.contains($0) != true }
            found[key] = ((known?.types ?? []) + new, (known?.isPlural ?? true) && isPlural)
        }
        for (word, types) in singulars { add(ObjectName.key(of: word), types, isPlural: false) }
        for (word, types) in singulars { add(plural(ObjectName.key(of: word)), types, isPlural: true) }
        for (words, types) in collectives {
            for word in words.split(separator: ",") { add(ObjectName.key(of: String(word)), types, isPlural: true) }
        }
        return found
    }
}
