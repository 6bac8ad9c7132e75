internal import AccessoryModel
internal import HAPCore

/// The name of an object of a home.
///
/// A name has 1 to 64 characters, at most 256 bytes in UTF-8. It consists of letters and digits of any script, spaces
/// and apostrophes (`'` and `’`), and begins and ends with a letter or digit. Marks such as accents belong to their
/// letter.
///
/// ```swift
/// try ObjectName("Kids' Room").key == ObjectName("kidsroom").key     // true
/// ```
public struct ObjectName: Sendable {
    /// The name as it was written.
    public let text: String
    /// The name without case, spaces and apostrophes, which comparisons ignore.
    ///
    /// Keys are compared like strings, so a single é equals an e with a combining accent.
    public let key: String

    /// Creates a name from a text that obeys the rules.
    ///
    /// - Throws: ``HomeError`` with the code of the broken rule: ``HomeError/Code/emptyName``,
    ///   ``HomeError/Code/nameTooLong``, ``HomeError/Code/nameCharacters`` or ``HomeError/Code/nameEnds``.
    public init(_ text: String) throws(HomeError) {
        try Self.check(text)
        self.init(checked: text)
    }

    /// Creates a name from a text that is known to obey the rules.
    init(checked text: String) {
        self.text = text
        key = Self.key(of: text)
    }

    /// Returns the key of a text, even if the text is not a valid name.
    ///
    /// Use it to find objects by user input. It takes linear time.
    public static func key(of text: String) -> String {
        let counted = text.filter { $0 != " " && !$0.isApostrophe }
        // Converts to uppercase first, because ß becomes SS there and both small sigmas become one letter.
        return counted.uppercased().lowercased()
    }

    /// Returns the keys under which a name is looked up that a person typed or said, the most exact one first.
    ///
    /// They are the keys of the forms of ``SpokenName``.
    package static func spokenKeys(of text: String) -> [String] {
        SpokenName.forms(of: text).map(key(of:))
    }

    /// Returns whether the name is a text, without its article, in the other number.
    func isOtherNumber(of text: String) -> Bool {
        let written = SpokenName.withoutArticle(text)
        return SpokenName.otherNumbers(of: written)
            .contains { other in
                Self.key(of: other) == key && (other.count < written.count || SpokenName.isWrittenAsPlural(self.text))
            }
    }

    /// Returns whether the name is written with spaces, or with capital letters within words, where these words begin.
    ///
    /// - Parameter keys: The keys of words that are together the key of the name.
    func breaks(like keys: [String]) -> Bool {
        var words: [String] = []
        var (word, isAfterSmall) = ("", false)
        for character in text {
            if character.isWhitespace || isAfterSmall && character.isUppercase {
                words.append(Self.key(of: word))
                word = ""
            }
            word.append(character)
            isAfterSmall = character.isLowercase
        }
        words.append(Self.key(of: word))
        func starts(_ keys: [String]) -> Set<Int> {
            var sum = 0
            return Set(
                keys.map { key in
                    defer { sum += key.count }
                    return sum
                }
            )
        }
        return starts(keys).isSubset(of: starts(words))
    }

    /// The maximum number of characters.
    public static let maximumCount = 64
    /// The maximum number of bytes in UTF-8.
    public static let maximumByteCount = 256

    /// The name of the room for the entire home, which no other room or zone may have.
    public static let entireHome = ObjectName(checked: "Default Room")
    /// The name of an accessory about which nothing is known.
    static let accessory = ObjectName(checked: "Accessory")
    /// The name of a service about which nothing is known.
    static let service = ObjectName(checked: "Service")
}

extension ObjectName: Hashable {
    /// Returns whether two names are spelled identically; compare ``key`` to find names that could be confused.
    public static func == (lhs: ObjectName, rhs: ObjectName) -> Bool {
        lhs.text == rhs.text
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension ObjectName: CustomStringConvertible {
    /// The name as it was written.
    public var description: String {
        text
    }
}

extension ObjectName: StoredAsText {
    package init?(storedText text: String) {
        guard let name = try? ObjectName(text) else { return nil }
        self = name
    }
}
