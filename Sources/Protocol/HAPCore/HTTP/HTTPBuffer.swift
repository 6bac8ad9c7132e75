/// The received bytes that are not consumed yet.
///
/// Consuming advances ``start``. The consumed bytes are removed when they are at least half of the content, so that
/// each byte is moved a bounded number of times. A large buffer is released when all of its bytes are consumed.
struct HTTPBuffer: Sendable {
    /// The memory; the unconsumed bytes are those from ``start`` to ``end``.
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
            // An array is copied in one piece even in debug builds.
            bytes.append(contentsOf: [UInt8](repeating: 0, count: max(missing, growth)))
        }
    }
}

/// Finds the end of a chunk's size line or a trailer; scans each byte once, even if a line arrives in pieces.
struct HTTPLineScanner: Sendable {
    private var position = 0

    /// Returns the length of the line at the beginning of the buffer, including its CR LF; `nil` if more bytes are
    /// needed.
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
