/// The bytes that arrived and were not consumed yet.
///
/// Consuming moves a mark, and the bytes before it are given back when they are the larger part: so every byte is moved
/// a bounded number of times however they arrive, and a large body does not hold its memory once it is consumed.
struct HTTPBuffer: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where the bytes that were not consumed begin.
    private(set) var start = 0

    /// What an idle connection may keep.
    private static let keptCapacity = 8 << 10

    /// How many bytes were not consumed.
    var count: Int {
        bytes.count - start
    }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        compact()
        bytes.append(contentsOf: new)
    }

    /// Lets `fill` write `count` bytes at the end.
    ///
    /// When it declines nothing is appended.
    mutating func append(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool {
        compact()
        let end = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        let isFilled = bytes.withUnsafeMutableBytes { fill(UnsafeMutableRawBufferPointer(rebasing: $0[end...])) }
        if !isFilled {
            bytes.removeLast(count)
        }
        return isFilled
    }

    mutating func consume(_ count: Int) {
        precondition(0...self.count ~= count, "no more can be consumed than there is")
        start += count
        if start == bytes.count {
            start = 0
            if bytes.capacity > Self.keptCapacity {
                bytes = []
            } else {
                bytes.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Copies bytes out and consumes them.
    mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(bytes[start..<(start + count)])
        consume(count)
        return taken
    }

    mutating func removeAll() {
        bytes = []
        start = 0
    }

    private mutating func compact() {
        guard start > Self.keptCapacity, start >= count else { return }
        bytes = Array(bytes[start...])
        start = 0
    }
}
