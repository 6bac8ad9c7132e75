internal import AccessoryModel

/// A resolver that finds the services or the scene that a text such as `Upstairs lights/Brightness` refers to.
///
/// It is for texts that consist of an object and a value, such as `Upstairs lights=off`. ``Phrase`` reads whole phrases,
/// and both use the same words and rules.
///
/// ```swift
/// try HomePhraseResolver.resolve("Upstairs lights", in: home)     // the lamps of the bedroom and the office
/// ```
public enum HomePhraseResolver {
    /// Returns the match for a text in a home.
    ///
    /// - Throws: ``HomeError/Code/unknownObject`` with similar names if nothing matches, or
    ///   ``HomeError/Code/ambiguousName`` with all interpretations if there are several.
    public static func resolve(_ text: String, in home: Home) throws(HomeError) -> PhraseMatch {
        // The sign belongs before a value, which is not part of the text.
        guard !text.contains("=") else { throw .unknown("object", ObjectName.quoted(text), at: home.name.text) }
        return try PhraseReader(home, .english).match(text)
    }
}
