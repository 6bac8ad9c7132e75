/// Takes values out of the bytes of a D-Bus message; `nil` where they do not fit.
struct BusReader {
    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func align(_ size: Int) {
        position += (size - position % size) % size
    }

    mutating func byte() -> UInt8? {
        take(1)?.first
    }

    mutating func unsigned16() -> UInt16? {
        align(2)
        return take(2)?.reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func unsigned() -> UInt32? {
        align(4)
        return take(4)?.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func integer() -> Int32? {
        unsigned().map(Int32.init(bitPattern:))
    }

    mutating func string() -> String? {
        guard let length = unsigned(), let text = take(Int(length)), take(1) == [0] else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    mutating func signature() -> String? {
        guard let length = byte(), let text = take(Int(length)), take(1) == [0] else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// An array of arrays of bytes.
    mutating func byteArrays() -> [[UInt8]]? {
        guard let length = unsigned(), Int(length) <= bytes.count - position else { return nil }
        let end = position + Int(length)
        var arrays: [[UInt8]] = []
        while position < end {
            guard let length = unsigned(), let array = take(Int(length)), position <= end else { return nil }
            arrays.append(Array(array))
        }
        return arrays
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard position <= bytes.count, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<(position + count)]
    }
}
