internal import HAPCore

/// Refuses bytes that a parser must not read.
///
/// libyaml and Yams use a stack frame for each level, and compare keys as Unicode does, which sorts every run of
/// combining marks: a malicious file would occupy a core for minutes, or end the process.
package enum DocumentText {
    /// The most bytes of a definition.
    package static let maximumSize = 1 << 20
    /// The maximum depth of nested lists and maps.
    package static let maximumDepth = 64
    /// The maximum number of values, with the content of each alias counted.
    package static let maximumNodes = 100_000
    /// The column up to which a line may be indented, `- ` and `? ` counted in.
    private static let maximumIndentation = 200
    /// The error of a text that takes long to compare.
    package static let tooManyMarksMessage =
        "more than \(CombiningMarkRun.maximumLength) combining marks follow each other; write text that can be read"

    /// Returns the text, unless it is too large, not UTF-8, contains a zero byte, is too deep, or takes long to
    /// compare.
    ///
    /// A byte order mark at its beginning is removed.
    package static func validated(
        _ bytes: [UInt8],
        in file: String,
        _ diagnostics: inout DiagnosticCollector
    ) -> [UInt8]? {
        guard bytes.count <= maximumSize else {
            diagnostics.report(
                in: file,
                at: nil,
                "the file has \(bytes.count) bytes, and a definition at most 1 MiB; divide it into several"
            )
            return nil
        }
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: bytes, as: UTF8.self) != nil else {
            diagnostics.report(
                in: file,
                at: firstInvalidPosition(in: bytes),
                "this is no UTF-8; save the file as UTF-8"
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

    /// The state after a prefix of the text.
    private struct ScanState {
        var position = TextPosition(line: 1, column: 0)
        private var depth = 0
        /// Whether nothing but blanks and indicators stood in this line.
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
                return "there is a zero byte; save the file as text"
            case UInt8(ascii: "%") where position.column == 1:
                return "a line that begins with % is a directive; leave it away"
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > maximumDepth {
                    return "lists and maps lie in each other more than \(maximumDepth) deep; write them flat"
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

    /// Returns the position of the first combining mark that exceeds the limit, with escaped ones counted.
    ///
    /// Escapes count here, because Yams compares keys before other code can inspect them.
    private static func firstLongMarkRun(in bytes: [UInt8]) -> TextPosition? {
        // In UTF-8, what combines begins with such a byte.
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
