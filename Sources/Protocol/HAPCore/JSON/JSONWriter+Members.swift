/// A value of a member of a JSON object.
package protocol JSONMemberValue {
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    package mutating func object(_ write: (inout JSONWriter) -> Void) {
        beginObject()
        write(&self)
        endObject()
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

    /// Writes a value under a key.
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

extension UInt64: JSONMemberValue {
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}
