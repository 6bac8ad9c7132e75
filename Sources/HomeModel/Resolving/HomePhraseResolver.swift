internal import AccessoryModel

/// A resolver that finds the services or the scene that a phrase refers to.
///
/// A phrase refers to services by name, type ("the lights"), room, zone, group, home or property ("brighter"), or by
/// several of these ("upstairs lights", "brightness of the bedroom"). It refers to a scene by name ("set Movie Time").
/// Case, apostrophes and words such as "the" are ignored. A name takes precedence over a word for a type. The resolver
/// prefers the interpretation with the fewest parts.
///
/// ```swift
/// try HomePhraseResolver.resolve("Upstairs lights", in: home)     // the lamps of the bedroom and the office
/// ```
public enum HomePhraseResolver {
    /// The maximum number of bytes in a phrase.
    public static let maximumByteCount = 512
    /// The maximum number of words in a phrase.
    static let maximumWordCount = 24
    /// The maximum number of parts of a phrase: names, and words for types and properties.
    static let maximumPartCount = 4

    /// Returns the match for a phrase in a home.
    ///
    /// - Throws: ``HomeError/Code/unknownObject`` with similar names if nothing matches, or
    ///   ``HomeError/Code/ambiguousName`` with all interpretations if there are several.
    public static func resolve(_ phrase: String, in home: Home) throws(HomeError) -> PhraseMatch {
        let words = try words(of: phrase)
        var reader = PhraseParser(words, in: HomeDirectory(home))
        return try reader.match(for: phrase)
    }

    /// Returns the match for a phrase in the home that it names, or else in the primary home.
    ///
    /// - Throws: ``HomeError``, as ``resolve(_:in:)-(String,Home)`` does, and ``HomeError/Code/unknownObject`` if there
    ///   are no homes.
    public static func resolve(_ phrase: String, in homes: Homes) throws(HomeError) -> PhraseMatch {
        let words = try words(of: phrase)
        guard let primary = homes.primaryHome else {
            throw .unknown("home", "yet", at: "")
        }
        var reader = PhraseParser(words, in: HomeDirectory(primary))
        guard let named = home(namedIn: words, of: homes), named.id != primary.id else {
            return try reader.match(for: phrase)
        }
        // A name in the primary home takes precedence over the name of another home.
        if let match = try? reader.match(for: phrase) { return match }
        reader = PhraseParser(words, in: HomeDirectory(named))
        return try reader.match(for: phrase)
    }

    /// Returns the home with the longest name that occurs anywhere in the words.
    private static func home(namedIn words: [String], of homes: Homes) -> Home? {
        let names = homes.homes.keyed(by: \.name.key, \.self)
        for count in (1...words.count).reversed() {
            for start in 0...words.count - count {
                if let home = names[words[start..<start + count].joined()] { return home }
            }
        }
        return nil
    }

    /// Returns the words of a phrase in the form in which they are compared.
    private static func words(of phrase: String) throws(HomeError) -> [String] {
        guard phrase.utf8.count <= maximumByteCount else { throw tooLong(phrase) }
        let words = phrase.split { $0.isWhitespace || $0 == "," || $0 == "/" }.map { ObjectName.key(of: String($0)) }
            .filter { !$0.isEmpty }
        guard words.count <= maximumWordCount else { throw tooLong(phrase) }
        guard !words.isEmpty else {
            throw HomeError(
                .emptyName,
                at: "",
                "The phrase is empty.",
                remedy: "Name a scene, a service, a room, a zone, a group or a type, such as Upstairs lights."
            )
        }
        return words
    }

    private static func tooLong(_ phrase: String) -> HomeError {
        let reason = "A phrase has at most \(maximumWordCount) words and \(maximumByteCount) bytes."
        return HomeError(.nameTooLong, at: ObjectName.quoted(phrase), reason)
    }
}
