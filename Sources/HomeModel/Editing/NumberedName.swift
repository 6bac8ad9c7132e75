/// A name that is to have a number behind it: cut once, so that every number up to 999,999 fits.
struct NumberedName {
    /// The name without the number.
    private let stem: ObjectName
    /// The key of every numbered name, but for the number.
    private let keyStem: String

    /// How many characters and bytes a space and a number need.
    private static let reservedLength = 7

    /// Cuts a name; of one that is a single character without room behind it, nothing is left.
    init(_ name: ObjectName) {
        stem =
            name.prefix(
                count: ObjectName.maximumCount - Self.reservedLength,
                bytes: ObjectName.maximumByteCount - Self.reservedLength
            ) ?? .service
        // Made with a digit behind it: some letters are one character with the space after them, which then counts.
        keyStem = String(ObjectName.key(of: "\(stem) 2").unicodeScalars.dropLast())
    }

    /// The key of the name with a number, without making the name.
    func key(_ number: Int) -> String {
        "\(keyStem)\(number)"
    }

    /// The name with a number of at most six digits.
    func name(_ number: Int) -> ObjectName {
        ObjectName(checked: "\(stem) \(number)")
    }
}
