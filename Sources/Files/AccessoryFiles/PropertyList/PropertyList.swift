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
    /// A text.
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

    /// The maximum depth of nested lists and dictionaries.
    package static let maximumDepth = 64
    /// The maximum number of values, including keys.
    ///
    /// A value that is referred to several times counts each time.
    package static let maximumValues = 1_000_000
}

extension PropertyList {
    /// The text, or `nil` for any other kind.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The list, or `nil` for any other kind.
    package var array: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The dictionary, or `nil` for any other kind.
    package var dictionary: PropertyListDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
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
        var dictionary = PropertyListDictionary()
        for (key, value) in elements {
            dictionary.append(value, forKey: key)
        }
        self = .dictionary(dictionary)
    }
}
