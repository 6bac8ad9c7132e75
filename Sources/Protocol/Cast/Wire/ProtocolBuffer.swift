/// Reads the fields of a message in the format of Protocol Buffers.
///
/// [Encoding](https://protobuf.dev/programming-guides/encoding/)
struct ProtocolBufferReader {
    /// The value of a field.
    enum Value: Hashable {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// Four or eight bytes, which no message here has.
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Returns the next field, or `nil` at the end.
    ///
    /// - Throws: ``CastError`` for a truncated field, and for a group, which is obsolete.
    mutating func next() throws(CastError) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let key = try number()
        switch key & 7 {
        case 0: return (key >> 3, .number(try number()))
        case 1:
            _ = try bytes(8)
            return (key >> 3, .fixed)
        case 2: return (key >> 3, .bytes(try bytes(number())))
        case 5:
            _ = try bytes(4)
            return (key >> 3, .fixed)
        default: throw .malformed("A message has a field of wire type \(key & 7).")
        }
    }

    private mutating func number() throws(CastError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw .malformed("A message is cut off in a number.") }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .malformed("A message has a number of more than 10 bytes.")
    }

    private mutating func bytes(_ count: UInt64) throws(CastError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed("A message is cut off in a field.") }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}

extension ProtocolBufferReader.Value {
    /// The number of a field.
    ///
    /// - Throws: ``CastError`` if the field is no number.
    func number(_ name: StaticString) throws(CastError) -> UInt64 {
        guard case .number(let number) = self else { throw .malformed("The field \(name) is no number.") }
        return number
    }

    /// The bytes of a field.
    ///
    /// - Throws: ``CastError`` if the field is a number.
    func bytes(_ name: StaticString) throws(CastError) -> [UInt8] {
        guard case .bytes(let bytes) = self else { throw .malformed("The field \(name) is no text.") }
        return Array(bytes)
    }

    /// The text of a field; bytes that are not UTF-8 are replaced.
    func text(_ name: StaticString) throws(CastError) -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }
}

/// Writes the fields of a message in the format of Protocol Buffers.
struct ProtocolBufferWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ field: UInt64, number: UInt64) {
        append(field << 3)
        append(number)
    }

    mutating func write(_ field: UInt64, bytes value: some Collection<UInt8>) {
        append(field << 3 | 2)
        append(UInt64(value.count))
        bytes += value
    }

    private mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
