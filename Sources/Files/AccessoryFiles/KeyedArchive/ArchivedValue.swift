internal import Documents
internal import HAPCore
internal import PropertyLists

/// A value of a keyed archive, with references resolved and Foundation's value classes decoded.
enum ArchivedValue: Hashable {
    /// No value.
    case null
    /// True or false.
    case bool(Bool)
    /// A number, which may be archived as a decimal number.
    case number(JSONNumber)
    /// A text.
    case text(String)
    /// Bytes, or the bytes of a UUID.
    case data([UInt8])
    /// A list of values that are not decoded yet.
    case list([PropertyList])
    /// Values by key that are not decoded yet.
    case dictionary(PropertyListDictionary)
    /// An object of any other class.
    case object(ArchivedObject)
    /// A value that cannot be decoded; the reason completes a sentence.
    case unreadable(String)

    /// Returns whether the value is this text, byte for byte.
    func isText(_ expected: String) -> Bool {
        if case .text(let text) = self { text.hasSameBytes(as: expected) } else { false }
    }

    /// The kind of the value, for a sentence.
    var kind: String {
        switch self {
        case .null: "nothing"
        case .bool(let value): String(value)
        case .number(let number): number.description
        case .text(let text): text.excerpt
        case .data(let bytes): "\(bytes.count) bytes"
        case .list: "a list"
        case .dictionary: "a dictionary"
        case .object(let object): "an object of class \(object.className.excerpt)"
        case .unreadable(let reason): reason
        }
    }
}
