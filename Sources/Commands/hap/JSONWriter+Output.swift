import AccessoryModel
import HAPController
import HAPCore

/// A value of a member of a JSON object.
protocol JSONMemberValue {
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    /// Returns the text of one object with a line break at its end.
    static func line(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(write)
        return String(decoding: writer.finish(), as: UTF8.self) + "\n"
    }

    mutating func object(_ write: (inout JSONWriter) -> Void) {
        beginObject()
        write(&self)
        endObject()
    }

    /// Writes an object under a key.
    mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        key(name)
        object(write)
    }

    /// Writes a list of objects under a key.
    mutating func list<Element>(
        _ name: String,
        _ elements: some Sequence<Element>,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements {
            object { write(element, &$0) }
        }
        endArray()
    }

    /// Writes a value under a key; `nil` as `null`.
    mutating func member(_ name: String, _ value: some JSONMemberValue) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a value under a key, or nothing if the value is `nil`.
    mutating func member(_ name: String, ifPresent value: (some JSONMemberValue)?) {
        if let value { member(name, value) }
    }

    /// Writes the aid and the iid of a characteristic.
    mutating func members(of id: CharacteristicID) {
        member("aid", id.aid.rawValue)
        member("iid", id.iid.rawValue)
    }

    /// Writes the IDs and names of a characteristic, and its value with the name of the value.
    mutating func members(of found: FoundCharacteristic, value: CharacteristicValue?) {
        members(of: found.id)
        member("accessory", ifPresent: found.accessory.name)
        member("service", found.service.name)
        member("name", found.characteristic.name)
        member("value", value)
        member("valueName", ifPresent: value.flatMap { found.characteristic.name(of: $0) })
        member("unit", ifPresent: found.characteristic.metadata.unit?.rawValue)
    }
}

extension String: JSONMemberValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Bool: JSONMemberValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Int: JSONMemberValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Int64: JSONMemberValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension UInt64: JSONMemberValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Double: JSONMemberValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension JSONNumber: JSONMemberValue {
    func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Optional: JSONMemberValue where Wrapped: JSONMemberValue {
    func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Array: JSONMemberValue where Element: JSONMemberValue {
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self {
            element.write(to: &writer)
        }
        writer.endArray()
    }
}

/// Booleans are written as `true` and `false`, bytes as Base64.
extension CharacteristicValue: JSONMemberValue {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .bool(let value): writer.value(value)
        case .number(let value): writer.value(value)
        case .string(let value): writer.value(value)
        case .data(let bytes): writer.value(base64: bytes)
        }
    }
}
