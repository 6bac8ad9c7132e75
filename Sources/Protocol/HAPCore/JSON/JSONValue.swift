/// A JSON text as a value.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// A real number; `null` if it is not finite.
    package static func real(_ value: Double) -> JSONValue { JSONNumber(value).map { .number($0) } ?? .null }

    package static func integer(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

    /// The Boolean, `nil` for every other kind.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, `nil` for every other kind.
    package var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The text, `nil` for every other kind.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, `nil` for every other kind.
    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, `nil` for every other kind.
    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// A Boolean in any of the four forms that HAP admits: true, false, 1 and 0.
    ///
    /// HAP: §11.5
    package var hapBool: Bool? {
        switch self {
        case .bool(let value): value
        case .number(.unsigned(0)): false
        case .number(.unsigned(1)): true
        case .null, .number, .string, .array, .object: nil
        }
    }

    /// A number that is an integer from 0 to 2⁶⁴−1.
    package var unsigned: UInt64? {
        if case .number(.unsigned(let value)) = self { value } else { nil }
    }

    /// The compact text.
    package var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.finish()
    }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    package init(integerLiteral value: Int64) {
        self = .number(JSONNumber(value))
    }

    package init(floatLiteral value: Double) {
        self = .number(JSONNumber(floatLiteral: value))
    }

    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}
