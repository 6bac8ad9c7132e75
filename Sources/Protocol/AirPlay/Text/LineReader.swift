/// Splits bytes into lines that end with LF or CR LF.
struct LineReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Returns the next line without its end and without spaces and tabs around it, or `nil` at the end.
    ///
    /// Invalid UTF-8 is replaced.
    mutating func next() -> String? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        var line = rest[rest.startIndex..<end]
        rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[end...]
        while let last = line.last, last.isBlank { line.removeLast() }
        while let first = line.first, first.isBlank { line.removeFirst() }
        return String(decoding: line, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte is a space, a tab or the CR of a line's end.
    fileprivate var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }
}
