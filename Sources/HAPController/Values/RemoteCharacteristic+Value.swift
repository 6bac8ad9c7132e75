package import AccessoryModel
package import HAPCore

extension RemoteCharacteristic {
    /// The value that an accessory's JSON stands for: in a database, the answer to a read, or an event.
    ///
    /// Taken as HAP has it where possible, else as it came: a number out of range is that number, and what is no Base64
    /// stays the text that it is. `nil` for `null`, and for what is no value at all.
    ///
    /// HAP: §11.5, §0 (bool output)
    package func value(from json: JSONValue) -> CharacteristicValue? {
        switch (json, metadata.format) {
        case (.null, _), (.array, _), (.object, _): nil
        case (.bool(let value), .bool), (.bool(let value), .string): .bool(value)
        case (.bool(let value), .tlv8), (.bool(let value), .data): .bool(value)
        case (.bool(let value), _): .number(value ? 1 : 0)
        case (.number(0), .bool): .bool(false)
        case (.number(1), .bool): .bool(true)
        case (.number(let value), .string): .string(value.description)
        case (.number(let value), _): .number(value)
        case (.string(let text), _) where text.hasLongRunOfMarks: nil
        case (.string(let text), .string): .string(text)
        case (.string(let text), .tlv8), (.string(let text), .data):
            Base64.decode(text.utf8).map { .data($0) } ?? .string(text)
        case (.string(let text), .bool): Self.bool(in: text).map { .bool($0) } ?? .string(text)
        case (.string(let text), _): Self.number(in: text).map { .number($0) } ?? .string(text)
        }
    }

    /// The number in a text, as JSON writes it; `nil` when there is none.
    static func number(in text: String) -> JSONNumber? {
        guard text.utf8.count <= 64 else { return nil }
        return (try? JSONValue(parsing: Array(text.utf8)))?.number
    }

    private static func bool(in text: String) -> Bool? {
        switch text {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}
