internal import HAPCore

/// What stands at a place of a keyed archive, seen through references and through the classes that Foundation archives
/// its own values as.
enum ArchivedValue: Hashable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A number, also one that was archived as a decimal one.
    case number(JSONNumber)
    /// A text.
    case text(String)
    /// Bytes, also those of a UUID.
    case data([UInt8])
    /// A list of what has not been looked at yet.
    case list([PropertyList])
    /// What has not been looked at yet, by its key.
    case dictionary(PropertyListDictionary)
    /// An object of a class of its own.
    case object(ArchivedObject)
    /// Something else, as the end of a sentence.
    case unreadable(String)

    /// What it is, for a sentence.
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
