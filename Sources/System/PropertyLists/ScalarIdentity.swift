package import HAPCore

/// The identity of a scalar value of a property list: its kind and its bytes.
///
/// Texts that Swift considers equal can have different bytes, and NaN does not equal itself.
package enum ScalarIdentity: Hashable {
    /// A text.
    case text(BytewiseText)
    /// Data.
    case data([UInt8])
    /// Any other scalar, whose kind has a number.
    case bits(UInt64, kind: UInt8)

    /// Creates the identity of a value that is neither a list nor a dictionary.
    package init(_ scalar: PropertyList) {
        switch scalar {
        case .bool(let value): self = .bits(value ? 1 : 0, kind: 0)
        case .unsigned(let value): self = .bits(value, kind: 1)
        case .negative(let value): self = .bits(UInt64(bitPattern: value), kind: 2)
        case .real(let value): self = .bits(value.bitPattern, kind: 3)
        case .date(let seconds): self = .bits(seconds.bitPattern, kind: 4)
        case .uid(let number): self = .bits(UInt64(number), kind: 5)
        case .text(let text): self = .text(BytewiseText(text))
        case .data(let bytes): self = .data(bytes)
        case .array, .dictionary: preconditionFailure("lists and dictionaries are not scalars")
        }
    }
}
