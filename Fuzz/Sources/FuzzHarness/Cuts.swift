/// A pseudorandom way to cut a stream into pieces, as a network would, seeded with a number from the input.
package struct Cuts {
    private var state: UInt8

    /// Creates cuts from a seed: 0 gives single bytes, and every other number gives pieces of various lengths.
    package init(_ seed: UInt8) {
        state = seed
    }

    /// Calls `body` with each piece.
    package mutating func forEach(of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                let end = min(position + nextLength(), bytes.count)
                body(UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
                position = end
            }
        }
    }

    private mutating func nextLength() -> Int {
        guard state != 0 else { return 1 }
        // A linear congruential generator of full period; otherwise 0 might never be left or reached again.
        state = state &* 141 &+ 3
        guard state != 0 else {
            state = 1
            return 1
        }
        return Int(state) < 200 ? Int(state & 0x1F) + 1 : Int(state) * 8
    }
}
