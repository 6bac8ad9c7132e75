/// A number as JSON writes it, exact for every integer of 64 bits.
///
/// A number that is integral and fits is stored as an integer, however it was written, so that `1.0` equals `1`. JSON
/// has neither NaN nor infinity.
public enum JSONNumber: Sendable, Hashable {
    /// Zero or more.
    case unsigned(UInt64)
    /// Less than zero.
    case negative(Int64)
    /// Not integral, or beyond 64 bits. Finite.
    case real(Double)

    /// Creates a number from an integer.
    @inlinable
    public init(_ value: some BinaryInteger) {
        if let unsigned = UInt64(exactly: value) {
            self = .unsigned(unsigned)
        } else if let negative = Int64(exactly: value) {
            self = .negative(negative)
        } else {
            self = .real(Double(value))
        }
    }

    /// Creates a number from a real number; `nil` if it is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        if let unsigned = UInt64(exactly: value) {
            self = .unsigned(unsigned)
        } else if let negative = Int64(exactly: value) {
            self = .negative(negative)
        } else {
            self = .real(value)
        }
    }

    /// The nearest real number.
    public var double: Double {
        switch self {
        case .unsigned(let value): Double(value)
        case .negative(let value): Double(value)
        case .real(let value): value
        }
    }

    /// The number as an integer of another type, `nil` when it is not integral or does not fit.
    @inlinable
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        switch self {
        case .unsigned(let value): Integer(exactly: value)
        case .negative(let value): Integer(exactly: value)
        case .real(let value): Integer(exactly: value)
        }
    }
}

extension JSONNumber: Comparable {
    /// Compares values: integers exactly, others as real numbers.
    public static func < (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
        switch (lhs, rhs) {
        case (.unsigned(let left), .unsigned(let right)): left < right
        case (.negative(let left), .negative(let right)): left < right
        case (.negative, .unsigned): true
        case (.unsigned, .negative): false
        // A real number of at least 2⁶⁴ exceeds every integer, although the largest integers round up to 2⁶⁴ as a
        // `Double`.
        case (.unsigned, .real(let right)): right >= 0x1p64 || lhs.double < right
        case (.real(let left), .unsigned): left < 0x1p64 && left < rhs.double
        case (.real, _), (_, .real): lhs.double < rhs.double
        }
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    /// Creates a number from an integer literal.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }
}

extension JSONNumber: ExpressibleByFloatLiteral {
    /// Creates a number from a floating-point literal, which is always finite.
    public init(floatLiteral value: Double) {
        guard let number = JSONNumber(value) else { preconditionFailure("a literal is finite") }
        self = number
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The shortest decimal text that reads back as the same number; integral numbers have no fraction.
    public var description: String {
        switch self {
        case .unsigned(let value): String(value)
        case .negative(let value): String(value)
        case .real(let value): value.description
        }
    }
}
