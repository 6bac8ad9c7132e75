internal import HAPCore

/// A check that refuses texts that are dangerous to parse.
///
/// libyaml and Yams use a stack frame for each level. They also compare keys with Unicode's rules, which sort every run
/// of combining marks. A malicious file could therefore use a core for minutes, or crash the process.
package enum DocumentText {
    /// The maximum number of bytes of a document.
    package static let maximumSize = 1 << 20
    /// The maximum depth of nested lists and maps.
    package static let maximumDepth = 64
    /// The maximum number of values; the content of an alias is counted each time.
    package static let maximumNodes = 100_000
    /// The maximum indentation of a line in columns, including the marks of list items and keys, `-` and `?`.
    private static let maximumIndentation = 200
    /// The error for a text whose comparison would take too long.
    package static let tooManyMarksMessage =
        "more than \(CombiningMarkRun.maximumLength) combining marks follow each other; write text that can be read"

    /// Returns the text if it is valid, or reports the error and returns `nil`.
    ///
    /// A text is invalid if it is too large, is not UTF-8, contains a zero byte, is nested too deeply, or would take
    /// too long to compare. A byte order mark at its beginning is removed.
    package static func validated(
        _ bytes: [UInt8],
        in file: String,
        _ diagnostics: inout DiagnosticCollector
    ) -> [UInt8]? {
        guard bytes.count <= maximumSize else {
            diagnostics.report(
                in: file,
                at: nil,
                "the file has \(bytes.count) bytes, but the limit is 1 MiB; divide it into several files"
            )
            return nil
        }
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: bytes, as: UTF8.self) != nil else {
            diagnostics.report(
                in: file,
                at: firstInvalidPosition(in: bytes),
                "the file is not UTF-8; save it as UTF-8"
            )
            return nil
        }
        var scan = ScanState()
        for byte in bytes {
            if let fault = scan.consume(byte) {
                diagnostics.report(in: file, at: scan.position, fault)
                return nil
            }
        }
        if let position = firstLongMarkRun(in: bytes) {
            diagnostics.report(in: file, at: position, tooManyMarksMessage)
            return nil
        }
        return bytes
    }

    /// The state of the check after a prefix of the text.
    private struct ScanState {
        var position = TextPosition(line: 1, column: 0)
        private var depth = 0
        /// Whether the line contains only spaces and indicators so far.
        private var isIndentation = true
        private var last: UInt8 = 0

        mutating func consume(_ byte: UInt8) -> String? {
            if last == 0x0A {
                position = TextPosition(line: position.line + 1, column: 0)
                isIndentation = true
            }
            if byte & 0xC0 != 0x80 {
                position.column += 1
            }
            last = byte
            switch byte {
            case 0:
                return "the file contains a zero byte; save it as text"
            case UInt8(ascii: "%") where position.column == 1:
                return "a line that begins with % is a directive, which is not supported; remove it"
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > maximumDepth {
                    return "lists and maps are nested more than \(maximumDepth) deep; use fewer levels"
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth = max(0, depth - 1)
            default: break
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): break
            default: isIndentation = false
            }
            if isIndentation, position.column > maximumIndentation {
                return "the line is indented by more than \(maximumIndentation) columns; indent it less"
            }
            return nil
        }
    }

    /// Returns the position of the first byte that is not UTF-8.
    private static func firstInvalidPosition(in bytes: [UInt8]) -> TextPosition {
        var offset = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return TextPosition(ofByteAt: offset, in: bytes)
    }

    /// Returns the position of the first combining mark that exceeds the limit.
    ///
    /// Escaped marks are counted, too, because Yams compares keys before other code can inspect them.
    private static func firstLongMarkRun(in bytes: [UInt8]) -> TextPosition? {
        // In UTF-8, a combining mark begins with 0xCC or a greater byte; escapes begin with a backslash or `%`.
        guard bytes.contains(where: { $0 >= 0xCC || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") }) else {
            return nil
        }
        var run = CombiningMarkRun()
        var scalars = UnescapedScalars(String(decoding: bytes, as: UTF8.self))
        var offset = 0
        while let scalar = scalars.next() {
            guard run.append(scalar) else { return TextPosition(ofByteAt: offset, in: bytes) }
            offset = scalars.offset
        }
        return nil
    }
}
