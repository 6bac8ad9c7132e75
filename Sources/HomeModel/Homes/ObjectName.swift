internal import AccessoryModel
internal import HAPCore

/// What people call a thing of a home.
///
/// Letters and digits of any script, spaces and apostrophes (`'` and `’`); a letter or digit comes first and last; 1 to
/// 64 characters, at most 256 bytes of UTF-8. Marks such as accents belong to their letter.
///
/// ```swift
/// try ObjectName("Kids' Room").key == ObjectName("kidsroom").key     // true
/// ```
public struct ObjectName: Sendable {
    /// The name as it was given.
    public let text: String
    /// The name without what does not count when two are compared: case, spaces, apostrophes.
    ///
    /// Two keys are compared as texts are: an é is one however it is composed.
    public let key: String

    /// Takes a name that obeys the rules.
    ///
    /// - Throws: ``HomeError`` with the code of the rule that is broken: ``HomeError/Code/emptyName``,
    ///   ``HomeError/Code/nameTooLong``, ``HomeError/Code/nameCharacters`` or ``HomeError/Code/nameEnds``.
    public init(_ text: String) throws(HomeError) {
        try Self.check(text)
        self.init(checked: text)
    }

    /// Takes a text that is known to obey the rules.
    init(checked text: String) {
        self.text = text
        key = Self.key(of: text)
    }

    /// The key that a text would have as a name, whether it may be one or not.
    ///
    /// For finding what people write; in linear time.
    public static func key(of text: String) -> String {
        let counted = text.filter { $0 != " " && !$0.isApostrophe }
        // By way of the upper case, in which ß is SS and both of the small sigmas are one.
        return counted.uppercased().lowercased()
    }

    /// The most characters of a name.
    public static let maximumCount = 64
    /// The most bytes of a name in UTF-8.
    public static let maximumByteCount = 256

    /// The name of the room for the entire home, which no other room or zone may have.
    public static let entireHome = ObjectName(checked: "Default Room")
    /// What an accessory is called of which nothing is known.
    static let accessory = ObjectName(checked: "Accessory")
    /// What a service is called of which nothing is known.
    static let service = ObjectName(checked: "Service")
}

extension ObjectName: Hashable {
    /// Whether both are written alike; see ``key`` for whether they could be confused.
    public static func == (lhs: ObjectName, rhs: ObjectName) -> Bool {
        lhs.text == rhs.text
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension ObjectName: CustomStringConvertible {
    /// The name as it was given.
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
