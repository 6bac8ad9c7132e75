/// A number of the input that comes out exactly as it went in.
package enum InputNumber: Hashable, Sendable {
    /// Without a fraction.
    case integer(Int64)
    /// With a fraction; the shortest text that reads back as this value is the text of the input.
    case real(Double)

    /// The value, for comparing.
    package var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }
}

extension InputNumber: Comparable {
    /// Orders by value.
    package static func < (lhs: InputNumber, rhs: InputNumber) -> Bool {
        lhs.double < rhs.double
    }
}

extension InputNumber: Decodable {
    /// Reads a JSON number; throws for one that is not exact here: beyond 2⁵³ and not an integer of 64 bits.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
            return
        }
        let real = try container.decode(Double.self)
        guard real.magnitude < 0x20_0000_0000_0000 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(real) is not exact")
        }
        self = .real(real)
    }
}

extension InputNumber: CustomStringConvertible {
    /// The literal in Swift, with its digits grouped.
    package var description: String {
        switch self {
        case .real(let value): return value.description
        case .integer(let value):
            let digits = String(value.magnitude)
            guard digits.count > 4 else { return String(value) }
            var grouped = value < 0 ? "-" : ""
            for (position, digit) in digits.enumerated() {
                if position > 0, (digits.count - position).isMultiple(of: 3) {
                    grouped.append("_")
                }
                grouped.append(digit)
            }
            return grouped
        }
    }
}
