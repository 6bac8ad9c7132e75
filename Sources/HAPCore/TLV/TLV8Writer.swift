/// Writes TLV8 items, cutting values of more than 255 bytes into fragments.
///
/// HAP: §4
package struct TLV8Writer: Sendable {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes a value.
    ///
    /// No value writes an item of length 0; a value whose length is a multiple of 255 ends with a full fragment.
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

    /// Writes what divides two elements of a list.
    package mutating func writeSeparator() {
        bytes.append(TLVType.separator.rawValue)
        bytes.append(0)
    }

    /// A message that begins with its number: State 1 for M1.
    package static func message(_ state: UInt8) -> TLV8Writer {
        var writer = TLV8Writer()
        writer.write(state, .state)
        return writer
    }

    /// The message that refuses: its number, and why.
    package static func refusal(_ state: UInt8, _ error: PairingError) -> [UInt8] {
        var writer = message(state)
        writer.write(error.rawValue, .error)
        return writer.bytes
    }
}
