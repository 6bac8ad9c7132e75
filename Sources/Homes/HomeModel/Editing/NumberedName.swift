/// A name to which a number is appended; it is truncated once, so that every number up to 999,999 fits.
struct NumberedName {
    /// The name without the number.
    private let stem: ObjectName
    /// The key of all numbered names, without the number.
    private let keyStem: String

    /// The number of characters and bytes for a space and a number.
    private static let reservedLength = 7

    /// Truncates a name; uses a default name if the name is one long character, of which nothing would remain.
    init(_ name: ObjectName) {
        stem =
            name.prefix(
                count: ObjectName.maximumCount - Self.reservedLength,
                bytes: ObjectName.maximumByteCount - Self.reservedLength
            ) ?? .service
        // The key is computed with a digit appended, because some letters combine with a following space into one
        // character.
        keyStem = String(ObjectName.key(of: "\(stem) 2").unicodeScalars.dropLast())
    }

    /// Returns the key of the name with a number, without creating the name.
    func key(_ number: Int) -> String {
        "\(keyStem)\(number)"
    }

    /// Returns the name with a number of at most six digits.
    func name(_ number: Int) -> ObjectName {
        ObjectName(checked: "\(stem) \(number)")
    }
}
