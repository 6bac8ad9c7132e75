internal import AccessoryModel

/// Finds what people mean with a phrase.
///
/// Services are meant by name, type ("the lights"), room, zone, group, home or property ("brighter"), and by several of
/// these ("upstairs lights", "brightness of the bedroom"); scenes by name ("set Movie Time"). Case, apostrophes and words
/// such as "the" do not count. A name goes before a word for a type, and a phrase is read as the fewest names and words
/// that it can be.
///
/// ```swift
/// try HomePhraseResolver.resolve("Upstairs lights", in: home)     // the lamps of the bedroom and the office
/// ```
public enum HomePhraseResolver {
    /// The most bytes of a phrase.
    public static let maximumByteCount = 512
    /// The most words of a phrase.
    static let maximumWordCount = 24
    /// The most names and words for types and properties that a phrase is put together of.
    static let maximumPartCount = 4

    /// Finds what a phrase means in a home.
    ///
    /// - Throws: ``HomeError``: ``HomeError/Code/unknownObject`` when it means nothing there, with names that are near;
    ///   ``HomeError/Code/ambiguousName`` when it means several things, with all of them.
    public static func resolve(_ phrase: String, in home: Home) throws(HomeError) -> PhraseMatch {
        let words = try words(of: phrase)
        var reader = PhraseParser(words, in: HomeDirectory(home))
        return try reader.match(for: phrase)
    }

    /// Finds what a phrase means: in the home that it names, else in the primary one.
    ///
    /// - Throws: ``HomeError`` as ``resolve(_:in:)-(String,Home)`` does, and ``HomeError/Code/unknownObject`` without homes.
    public static func resolve(_ phrase: String, in homes: Homes) throws(HomeError) -> PhraseMatch {
        let words = try words(of: phrase)
        guard let primary = homes.primaryHome else {
            throw .unknown("home", "yet", at: "")
        }
        var reader = PhraseParser(words, in: HomeDirectory(primary))
        guard let named = home(namedIn: words, of: homes), named.id != primary.id else {
            return try reader.match(for: phrase)
        }
        // A name in the primary home goes before the name of another.
        if let match = try? reader.match(for: phrase) { return match }
        reader = PhraseParser(words, in: HomeDirectory(named))
        return try reader.match(for: phrase)
    }

    /// The home that some of the words are the name of, wherever they stand: that with the longest name.
    private static func home(namedIn words: [String], of homes: Homes) -> Home? {
        let names = homes.homes.keyed(by: \.name.key, \.self)
        for count in (1...words.count).reversed() {
            for start in 0...words.count - count {
                if let home = names[words[start..<start + count].joined()] { return home }
            }
        }
        return nil
    }

    /// The words of a phrase as they are compared.
    private static func words(of phrase: String) throws(HomeError) -> [String] {
        guard phrase.utf8.count <= maximumByteCount else { throw tooLong(phrase) }
        let words = phrase.split { $0.isWhitespace || $0 == "," || $0 == "/" }.map { ObjectName.key(of: String($0)) }
            .filter { !$0.isEmpty }
        guard words.count <= maximumWordCount else { throw tooLong(phrase) }
        guard !words.isEmpty else {
            throw HomeError(
                .emptyName,
                at: "",
                "Nothing is named.",
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
