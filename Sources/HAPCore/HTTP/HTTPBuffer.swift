/// The bytes that arrived and were not consumed yet.
///
/// Consuming moves a mark, and the bytes before it are given back when they are the larger part: so every byte is moved
/// a bounded number of times however they arrive, and a large body does not hold its memory once it is consumed.
struct HTTPBuffer: Sendable {
    /// The memory; what arrived and was not consumed lies from ``start`` to ``findEnd``.
    private(set) var bytes: [UInt8] = []
    /// The start of the unconsumed bytes.
    private(set) var start = 0
    /// The end of the unconsumed bytes.
    private(set) var end = 0

    /// The capacity that an idle connection may keep.
    private static let retainedCapacity = 8 << 10
    private static let initialCapacity = 256

    /// The number of unconsumed bytes.
    var count: Int {
        end - start
    }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        makeRoom(for: new.count)
        bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[end...]).copyMemory(from: new) }
        end += new.count
    }

    /// Appends `count` bytes that `fill` writes; nothing if it returns false.
    mutating func append(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool {
        makeRoom(for: count)
        let isFilled = bytes.withUnsafeMutableBytes {
            fill(UnsafeMutableRawBufferPointer(rebasing: $0[end..<(end + count)]))
        }
        if isFilled {
            end += count
        }
        return isFilled
    }

    mutating func consume(_ count: Int) {
        precondition(0...self.count ~= count, "no more can be consumed than there is")
        start += count
        if start == end {
            start = 0
            end = 0
            if bytes.count > Self.retainedCapacity {
                bytes = []
            }
        }
    }

    /// Copies bytes out and consumes them.
    mutating func readBytes(_ count: Int) -> [UInt8] {
        precondition(0...self.count ~= count, "no more can be taken than there is")
        let taken = Array(bytes[start..<(start + count)])
        consume(count)
        return taken
    }

    mutating func removeAll() {
        bytes = []
        start = 0
        end = 0
    }

    private mutating func makeRoom(for count: Int) {
        if start > Self.retainedCapacity, start >= self.count {
            bytes = Array(bytes[start..<end])
            end -= start
            start = 0
        }
        let missing = end + count - bytes.count
        if missing > 0 {
            let growth = bytes.isEmpty ? Self.initialCapacity : bytes.count
            // An array is copied in one piece, also where nothing is optimized.
            bytes.append(contentsOf: [UInt8](repeating: 0, count: max(missing, growth)))
        }
    }
}

/// Finds the end of a line between chunks, looking at each byte once however they arrive.
struct HTTPLineScanner: Sendable {
    private var position = 0

    /// The length of the line at the beginning of the buffer, its CR LF included; `nil` when more bytes are needed.
    mutating func findEnd(in buffer: HTTPBuffer, limit: Int) throws(ProtocolError) -> Int? {
        let text = buffer.bytes.span.extracting(buffer.start..<buffer.end)
        let bound = min(text.count, limit)
        while position < bound {
            if text[position] == UInt8(ascii: "\n") {
                guard position > 0, text[position - 1] == UInt8(ascii: "\r") else {
                    throw ProtocolError(.http, "a line ends with LF alone", at: "HTTP response chunk")
                }
                defer { position = 0 }
                return position + 1
            }
            position += 1
        }
        guard text.count < limit else {
            throw ProtocolError(.tooLarge, "a line between chunks is larger than the limit", at: "HTTP response chunk")
        }
        return nil
    }
}
