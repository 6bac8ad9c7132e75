/// A value of a member of a JSON object.
package protocol JSONMemberValue {
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    /// Returns the text of one object with a line break at its end.
    package static func line(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(write)
        return String(decoding: writer.finish(), as: UTF8.self) + "\n"
    }

    package mutating func object(_ write: (inout JSONWriter) -> Void) {
        beginObject()
        write(&self)
        endObject()
    }

    /// Writes an object under a key.
    package mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        key(name)
        object(write)
    }

    /// Writes a list of objects under a key.
    package mutating func list<Element>(
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
    package mutating func member(_ name: String, _ value: some JSONMemberValue) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a value under a key, or nothing if the value is `nil`.
    package mutating func member(_ name: String, ifPresent value: (some JSONMemberValue)?) {
        if let value { member(name, value) }
    }
}

extension String: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Bool: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Int: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Int64: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension UInt64: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Double: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension JSONNumber: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Optional: JSONMemberValue where Wrapped: JSONMemberValue {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Array: JSONMemberValue where Element: JSONMemberValue {
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self {
            element.write(to: &writer)
        }
        writer.endArray()
    }
}
