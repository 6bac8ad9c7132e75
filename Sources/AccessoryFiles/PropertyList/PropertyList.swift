/// What a property list holds, whether it is written in binary or in XML.
package enum PropertyList: Sendable, Hashable {
    /// True or false.
    case bool(Bool)
    /// An integer from 0 on.
    case unsigned(UInt64)
    /// An integer below 0.
    case negative(Int64)
    /// A floating-point number, infinities and what is not a number included.
    case real(Double)
    /// A moment, in seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case data([UInt8])
    /// The number of an object of a keyed archive.
    case uid(UInt32)
    /// A list.
    case array([PropertyList])
    /// Values by key.
    case dictionary(PropertyListDictionary)

    /// Takes an integer, `nil` for one below −2⁶³ or above 2⁶⁴ − 1.
    package init?(integer: some BinaryInteger) {
        if let unsigned = UInt64(exactly: integer) {
            self = .unsigned(unsigned)
        } else if let negative = Int64(exactly: integer) {
            self = .negative(negative)
        } else {
            return nil
        }
    }

    /// How deep lists and dictionaries may be nested in each other.
    package static let maximumDepth = 64
    /// How many values there may be, keys and what stands in several places counted each time.
    package static let maximumValues = 1_000_000
}

extension PropertyList {
    /// The text, `nil` for every other kind.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The list, `nil` for every other kind.
    package var array: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The dictionary, `nil` for every other kind.
    package var dictionary: PropertyListDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
}

extension PropertyList: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Takes `true` or `false`.
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Takes an integer literal.
    package init(integerLiteral value: Int64) {
        self = value < 0 ? .negative(value) : .unsigned(value.magnitude)
    }

    /// Takes a text literal.
    package init(stringLiteral value: String) {
        self = .text(value)
    }

    /// Takes a list.
    package init(arrayLiteral elements: PropertyList...) {
        self = .array(elements)
    }

    /// Takes keys and values; of several with one key the first counts.
    package init(dictionaryLiteral elements: (String, PropertyList)...) {
        var dictionary = PropertyListDictionary()
        for (key, value) in elements {
            dictionary.append(value, forKey: key)
        }
        self = .dictionary(dictionary)
    }
}
