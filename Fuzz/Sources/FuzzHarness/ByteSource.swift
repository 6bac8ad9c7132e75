/// A reader of an input; after the end of the input, it returns zeros.
package struct ByteSource {
    private var rest: ArraySlice<UInt8>

    package init(_ input: [UInt8]) {
        rest = input[...]
    }

    package var isEmpty: Bool {
        rest.isEmpty
    }

    package mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// Returns the next two bytes as a little-endian number.
    package mutating func number() -> Int {
        let low = Int(byte())
        return low | Int(byte()) << 8
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns the remaining bytes.
    package mutating func remainder() -> [UInt8] {
        bytes(rest.count)
    }

    /// Returns a step of a conversation that delivers bytes unchanged.
    package static func raw(_ step: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [step, UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
    }
}
