/// A value of a property list, in binary or in XML.
package enum PropertyList: Sendable, Hashable {
    /// True or false.
    case bool(Bool)
    /// An integer of at least 0.
    case unsigned(UInt64)
    /// An integer below 0.
    case negative(Int64)
    /// A floating-point number, which may be infinite or not a number.
    case real(Double)
    /// A date, in seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    /// A string.
    case text(String)
    /// Bytes.
    case data([UInt8])
    /// The number of an object in a keyed archive.
    case uid(UInt32)
    /// A list of values.
    case array([PropertyList])
    /// Values by key.
    case dictionary(PropertyListDictionary)

    /// Creates an integer; returns `nil` below −2⁶³ and above 2⁶⁴ − 1.
    package init?(integer: some BinaryInteger) {
        if let unsigned = UInt64(exactly: integer) {
            self = .unsigned(unsigned)
        } else if let negative = Int64(exactly: integer) {
            self = .negative(negative)
        } else {
            return nil
        }
    }
}

extension PropertyList {
    /// The Boolean, or `nil` for any other kind.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, or `nil` for any other kind and for one that `Int` cannot represent.
    package var integer: Int? {
        switch self {
        case .unsigned(let value): Int(exactly: value)
        case .negative(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The integer or floating-point number, rounded to a `Double`, or `nil` for any other kind.
    package var number: Double? {
        switch self {
        case .unsigned(let value): Double(value)
        case .negative(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// The date in seconds since 2001-01-01 00:00 UTC, or `nil` for any other kind.
    package var date: Double? {
        if case .date(let seconds) = self { seconds } else { nil }
    }

    /// The text, or `nil` for any other kind.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The bytes, or `nil` for any other kind.
    package var data: [UInt8]? {
        if case .data(let bytes) = self { bytes } else { nil }
    }

    /// The number of an object, or `nil` for any other kind.
    package var uid: UInt32? {
        if case .uid(let number) = self { number } else { nil }
    }

    /// The list, or `nil` for any other kind.
    package var array: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The dictionary, or `nil` for any other kind.
    package var dictionary: PropertyListDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    /// The value of a key, or `nil` if the key is missing or this is not a dictionary.
    package subscript(key: String) -> PropertyList? {
        dictionary?[key]
    }
}

extension PropertyList: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a value from `true` or `false`.
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates a value from an integer literal.
    package init(integerLiteral value: Int64) {
        self = value < 0 ? .negative(value) : .unsigned(value.magnitude)
    }

    /// Creates a value from a string literal.
    package init(stringLiteral value: String) {
        self = .text(value)
    }

    /// Creates a list from a literal.
    package init(arrayLiteral elements: PropertyList...) {
        self = .array(elements)
    }

    /// Creates a dictionary from a literal; the first of several equal keys counts.
    package init(dictionaryLiteral elements: (String, PropertyList)...) {
        self = .dictionary(PropertyListDictionary(elements))
    }
}
