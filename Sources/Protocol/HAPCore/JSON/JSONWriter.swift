/// Appends compact JSON to bytes in the order of the calls, with the necessary commas.
///
/// It relies on its caller to pair every begin with an end and to write a key before each value of an object.
package struct JSONWriter: Sendable {
    /// The characters of texts and keys that are written as escapes.
    package enum Escaping: Sendable {
        /// The escapes that JSON requires, for messages of the protocol.
        case required
        /// Also escapes for terminal control characters, for output, logs and files.
        case terminal
    }

    /// The written bytes, after those at the beginning.
    package private(set) var bytes: [UInt8]
    /// Whether the next value or key needs a comma before it.
    private var needsComma = false
    private let escaping: Escaping

    /// Creates an empty writer with reserved capacity.
    ///
    /// - Parameter escaping: The default is safe for terminals, so that no output can forget it; messages of the
    ///   protocol opt out.
    package init(reservingBytes capacity: Int = 0, escaping: Escaping = .terminal) {
        bytes = []
        bytes.reserveCapacity(capacity)
        self.escaping = escaping
    }

    /// Continues after existing bytes.
    ///
    /// They are passed in and returned by ``finish()`` without a copy.
    package init(continuing bytes: consuming [UInt8], escaping: Escaping = .terminal) {
        self.bytes = bytes
        self.escaping = escaping
    }

    /// Returns the bytes.
    package consuming func finish() -> [UInt8] {
        bytes
    }

    package mutating func beginObject() {
        writeSeparator()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func beginArray() {
        writeSeparator()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the key of a member; its value follows.
    package mutating func key(_ name: String) {
        writeSeparator()
        Self.appendEscaped(name, escaping, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the key of a member, a key that needs no escapes; faster than ``key(_:)``.
    package mutating func key(plain name: StaticString) {
        writeSeparator()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func null() {
        literal("null")
    }

    package mutating func value(_ value: Bool) {
        literal(value ? "true" : "false")
    }

    package mutating func value(_ value: UInt64) {
        writeSeparator()
        bytes.appendDecimal(value)
    }

    package mutating func value(_ value: Int64) {
        writeSeparator()
        bytes.appendDecimal(value)
    }

    package mutating func value(_ value: Int) {
        writeSeparator()
        bytes.appendDecimal(Int64(value))
    }

    /// Writes a real number as the shortest text that reads back as the same number; `null` if it is not finite.
    package mutating func value(_ value: Double) {
        if let number = JSONNumber(value) {
            self.value(number)
        } else {
            null()
        }
    }

    package mutating func value(_ value: JSONNumber) {
        switch value {
        case .unsigned(let value): self.value(value)
        case .negative(let value): self.value(value)
        case .real(let value) where value.isFinite:
            writeSeparator()
            bytes.append(contentsOf: value.description.utf8)
        case .real: null()
        }
    }

    package mutating func value(_ value: String) {
        writeSeparator()
        Self.appendEscaped(value, escaping, to: &bytes)
    }

    /// Writes bytes as a Base64 string.
    package mutating func value(base64 value: [UInt8]) {
        writeSeparator()
        bytes.append(UInt8(ascii: "\""))
        Base64.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes text without a comma before it; a value or key follows.
    ///
    /// The caller ensures that the text is valid here.
    mutating func raw(_ text: StaticString) {
        bytes.append(text)
        needsComma = false
    }

    /// Writes a value that is already encoded.
    package mutating func value(encoded text: [UInt8]) {
        writeSeparator()
        bytes.append(contentsOf: text)
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .number(let value): self.value(value)
        case .string(let value): self.value(value)
        case .array(let elements):
            beginArray()
            for element in elements {
                self.value(element)
            }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    private mutating func literal(_ text: StaticString) {
        writeSeparator()
        bytes.append(text)
    }

    private mutating func writeSeparator() {
        if needsComma {
            bytes.append(UInt8(ascii: ","))
        }
        needsComma = true
    }
}
