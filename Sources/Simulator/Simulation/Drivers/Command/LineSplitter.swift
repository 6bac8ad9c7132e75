/// One line of a program's output, without its newline.
///
/// Bytes that are not UTF-8 are replaced.
package enum ProgramLine: Sendable, Equatable {
    case text(String)
    /// A line over the limit: its beginning. The rest, up to its newline, is dropped.
    case tooLong(beginning: String)
}

/// Splits bytes into lines, and holds at most one line and one chunk of them.
package struct LineSplitter {
    private let limit: Int
    private var bytes: [UInt8] = []
    private var lineStart = 0
    /// Everything from `lineStart` up to here is known to have no newline.
    private var searched = 0
    private var isSkipping = false

    /// - Parameter limit: The maximum number of bytes of a line.
    package init(limit: Int) {
        self.limit = limit
    }

    package mutating func append(_ chunk: UnsafeRawBufferPointer) {
        bytes.removeFirst(lineStart)
        searched -= lineStart
        lineStart = 0
        bytes.append(contentsOf: chunk)
    }

    /// Returns the next whole line.
    ///
    /// With `atEnd`, also a last line that has no newline.
    package mutating func next(atEnd: Bool = false) -> ProgramLine? {
        while true {
            let newline = nextNewline()
            let lineEnd = newline ?? bytes.count
            searched = lineEnd
            if isSkipping {
                lineStart = lineEnd
                guard newline != nil else { return nil }
                isSkipping = false
                skipNewline()
            } else if lineEnd - lineStart > limit {
                isSkipping = true
                return .tooLong(beginning: text(lineStart..<lineStart + limit))
            } else if newline != nil || (atEnd && lineEnd > lineStart) {
                let line = text(lineStart..<lineEnd)
                lineStart = lineEnd
                if newline != nil { skipNewline() }
                return .text(line)
            } else {
                return nil
            }
        }
    }

    private mutating func skipNewline() {
        lineStart += 1
        searched = lineStart
    }

    private func nextNewline() -> Int? {
        bytes.withUnsafeBytes { $0[searched...].firstIndex(of: UInt8(ascii: "\n")) }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
