/// Reads the items of TLV8 bytes in order, by the strict rule for fragments.
///
/// HAP: §4
package struct TLV8Reader {
    private let bytes: [UInt8]
    private let location: String
    private var position = 0

    /// Reads `bytes`; `location` names the message in errors.
    package init(_ bytes: [UInt8], at location: String) {
        self.bytes = bytes
        self.location = location
    }

    /// Returns the next item; `nil` after the last.
    ///
    /// Consecutive items of one type form one value if all but the last have 255 bytes. Any other sequence of items of
    /// one type is refused, and so is a truncated header or value.
    package mutating func next() throws(ProtocolError) -> TLV8Item? {
        guard let type = peekType() else { return nil }
        var fragment = try nextFragment()
        var value = Array(bytes[fragment])
        while peekType() == type {
            guard fragment.count == 255 else { throw malformed("a fragment follows one shorter than 255 bytes") }
            fragment = try nextFragment()
            guard !fragment.isEmpty else { throw malformed("a continuing fragment is empty") }
            value += bytes[fragment]
        }
        return TLV8Item(type: type, value: value)
    }

    private func peekType() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func nextFragment() throws(ProtocolError) -> Range<Int> {
        guard bytes.count - position >= 2 else { throw malformed("a header is cut short") }
        let start = position + 2
        let length = Int(bytes[position + 1])
        guard length <= bytes.count - start else { throw malformed("a length runs past the end") }
        position = start + length
        return start..<position
    }

    private func malformed(_ reason: String) -> ProtocolError {
        ProtocolError(.tlv, reason, at: location)
    }
}

/// Writes TLV8 items, cutting values of more than 255 bytes into fragments.
///
/// HAP: §4
package struct TLV8Writer: Sendable {
    /// The written bytes.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes a value.
    ///
    /// An empty value becomes an item of length 0. A value whose length is a multiple of 255 ends with a full fragment.
    package mutating func write(_ value: some Collection<UInt8>, type: UInt8) {
        var rest = value[...]
        repeat {
            let fragment = rest.prefix(255)
            bytes.append(type)
            bytes.append(UInt8(truncatingIfNeeded: fragment.count))
            bytes.append(contentsOf: fragment)
            rest = rest.dropFirst(255)
        } while !rest.isEmpty
    }

    /// Writes a value.
    package mutating func write(_ value: some Collection<UInt8>, _ type: TLVType) {
        write(value, type: type.rawValue)
    }

    /// Writes a value of one byte.
    package mutating func write(_ value: UInt8, _ type: TLVType) {
        bytes.append(type.rawValue)
        bytes.append(1)
        bytes.append(value)
    }

    /// Writes the separator between two elements of a list.
    package mutating func writeSeparator() {
        bytes.append(TLVType.separator.rawValue)
        bytes.append(0)
    }

    /// Creates a message that begins with its number: State 1 for M1.
    package static func message(_ state: UInt8) -> TLV8Writer {
        var writer = TLV8Writer()
        writer.write(state, .state)
        return writer
    }

    /// Returns an error message, which contains only its number and the error.
    package static func refusal(_ state: UInt8, _ error: PairingErrorCode) -> [UInt8] {
        var writer = message(state)
        writer.write(error.rawValue, .error)
        return writer.bytes
    }
}
