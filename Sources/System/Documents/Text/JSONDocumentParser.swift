internal import HAPCore

/// A JSON parser that creates nodes with the tokenizer of the protocol, within the limits of ``DocumentText``.
///
/// A repeated key is reported, and its later values are skipped.
package struct JSONDocumentParser {
    private let file: String
    private var tokens = JSONTokenizer()
    private var cursor = TextCursor()
    private var remainingNodes = DocumentText.maximumNodes

    /// An error that ends the parsing of a text that is not JSON.
    private struct SyntaxError: Error {
        var position: TextPosition
        var reason: String
    }

    /// Returns the root of a text that ``DocumentText`` has checked, or reports invalid JSON and returns `nil`.
    package static func compose(
        _ bytes: [UInt8],
        in file: String,
        _ diagnostics: inout DiagnosticCollector
    ) -> DocumentNode? {
        let input = bytes.span
        var composer = JSONDocumentParser(file: file)
        do throws(SyntaxError) {
            composer.tokens.skipWhitespace(input)
            let root = try composer.value(input, at: .root, depth: 0, &diagnostics)
            composer.tokens.skipWhitespace(input)
            guard composer.tokens.position == input.count else {
                throw composer.syntaxError(.textAfterEnd, input)
            }
            return root
        } catch {
            diagnostics.report(in: file, at: error.position, "this is not JSON: \(error.reason)")
            return nil
        }
    }

    private mutating func position(_ input: Span<UInt8>) -> TextPosition {
        cursor.advance(to: tokens.position, in: input)
        return cursor.position
    }

    private mutating func syntaxError(_ reason: String, _ input: Span<UInt8>) -> SyntaxError {
        SyntaxError(position: position(input), reason: reason)
    }

    private mutating func syntaxError(_ error: JSONSyntaxError, _ input: Span<UInt8>) -> SyntaxError {
        syntaxError("\(error.rawValue); \(error.remedy(isAfterComma: isAfterComma(input)))", input)
    }

    private func isAfterComma(_ input: Span<UInt8>) -> Bool {
        var end = tokens.position
        while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(input[end - 1]) { end -= 1 }
        return end > 0 && input[end - 1] == UInt8(ascii: ",")
    }

    private mutating func value(
        _ input: Span<UInt8>,
        at path: DocumentPath,
        depth: Int,
        _ diagnostics: inout DiagnosticCollector
    ) throws(SyntaxError) -> DocumentNode {
        remainingNodes -= 1
        guard remainingNodes >= 0 else {
            throw syntaxError(
                "the file has more than \(DocumentText.maximumNodes) values; divide it into several files",
                input
            )
        }
        let start = position(input)
        let content: DocumentNode.Content =
            switch tokens.peek(input) {
            case UInt8(ascii: "{"): .mapping(try object(input, at: path, depth: depth + 1, &diagnostics))
            case UInt8(ascii: "["): .sequence(try array(input, at: path, depth: depth + 1, &diagnostics))
            case UInt8(ascii: "\""): .scalar(DocumentScalar(quoted: try string(input)))
            default: .scalar(try literal(input))
            }
        return DocumentNode(position: start, content: content)
    }

    private mutating func array(
        _ input: Span<UInt8>,
        at path: DocumentPath,
        depth: Int,
        _ diagnostics: inout DiagnosticCollector
    ) throws(SyntaxError) -> [DocumentNode] {
        try check(depth, input)
        tokens.position += 1
        tokens.skipWhitespace(input)
        var elements: [DocumentNode] = []
        if tokens.consume(UInt8(ascii: "]"), input) { return elements }
        while true {
            tokens.skipWhitespace(input)
            elements.append(try value(input, at: .index(elements.count, in: path), depth: depth, &diagnostics))
            tokens.skipWhitespace(input)
            if tokens.consume(UInt8(ascii: "]"), input) { return elements }
            guard tokens.consume(UInt8(ascii: ","), input) else {
                throw syntaxError(.unterminatedArray, input)
            }
        }
    }

    private mutating func object(
        _ input: Span<UInt8>,
        at path: DocumentPath,
        depth: Int,
        _ diagnostics: inout DiagnosticCollector
    ) throws(SyntaxError) -> [DocumentMember] {
        try check(depth, input)
        tokens.position += 1
        tokens.skipWhitespace(input)
        var members: [DocumentMember] = []
        var keys: Set<BytewiseText> = []
        if tokens.consume(UInt8(ascii: "}"), input) { return members }
        while true {
            tokens.skipWhitespace(input)
            let start = position(input)
            guard tokens.peek(input) == UInt8(ascii: "\"") else {
                throw syntaxError(.missingKey, input)
            }
            let key = try string(input)
            remainingNodes -= 1
            tokens.skipWhitespace(input)
            guard tokens.consume(UInt8(ascii: ":"), input) else {
                throw syntaxError(.missingColon, input)
            }
            tokens.skipWhitespace(input)
            let value = try value(input, at: .key(key, in: path), depth: depth, &diagnostics)
            if keys.insert(BytewiseText(key)).inserted {
                members.append(DocumentMember(key: key, position: start, value: value))
            } else {
                diagnostics.report(
                    in: file,
                    at: start,
                    path: .key(key, in: path),
                    "this key occurs twice; remove one of them"
                )
            }
            tokens.skipWhitespace(input)
            if tokens.consume(UInt8(ascii: "}"), input) { return members }
            guard tokens.consume(UInt8(ascii: ","), input) else {
                throw syntaxError(.unterminatedObject, input)
            }
        }
    }

    private mutating func check(_ depth: Int, _ input: Span<UInt8>) throws(SyntaxError) {
        guard depth <= DocumentText.maximumDepth else {
            throw syntaxError(
                "arrays and objects are nested more than \(DocumentText.maximumDepth) deep; use fewer levels",
                input
            )
        }
    }

    /// Reads `true`, `false`, `null` or a number, which ends at the next delimiter.
    private mutating func literal(_ input: Span<UInt8>) throws(SyntaxError) -> DocumentScalar {
        let start = tokens.position
        var end = start
        while end < input.count, !Self.isDelimiter(input[end]) { end += 1 }
        let text = input.extracting(start..<end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard consumeLiteral(input), tokens.position == end else {
            tokens.position = start
            guard text.isEmpty else {
                throw syntaxError("\(text.quotedForDisplay) is not a value; put it in double quotes", input)
            }
            throw syntaxError(.missingValue, input)
        }
        return DocumentScalar(plain: text)
    }

    private mutating func consumeLiteral(_ input: Span<UInt8>) -> Bool {
        do throws(JSONSyntaxError) {
            switch tokens.peek(input) {
            case UInt8(ascii: "t"): try tokens.readLiteral("true", input)
            case UInt8(ascii: "f"): try tokens.readLiteral("false", input)
            case UInt8(ascii: "n"): try tokens.readLiteral("null", input)
            default: _ = try tokens.readNumber(input)
            }
            return true
        } catch {
            return false
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private mutating func string(_ input: Span<UInt8>) throws(SyntaxError) -> String {
        let start = position(input)
        let text: String
        do throws(JSONSyntaxError) {
            text = try tokens.readString(input)
        } catch {
            // A backslash at the end of the file is a truncated escape, not an invalid one.
            let isCutOff = error == .invalidEscape && tokens.position == input.count
            throw syntaxError(isCutOff ? .unterminatedString : error, input)
        }
        // Keys are compared, and comparing long runs of combining marks takes too long.
        guard !text.hasLongCombiningMarkRun else {
            throw SyntaxError(position: start, reason: DocumentText.tooManyMarksMessage)
        }
        return text
    }
}

/// A position in a text that only moves forward, so that each byte is read once.
private struct TextCursor {
    private(set) var position = TextPosition(line: 1, column: 1)
    private var offset = 0

    mutating func advance(to end: Int, in input: Span<UInt8>) {
        while offset < end {
            let byte = input[offset]
            offset += 1
            if byte == 0x0A {
                position = TextPosition(line: position.line + 1, column: 1)
            } else if offset == input.count || input[offset] & 0xC0 != 0x80 {
                position.column += 1
            }
        }
    }
}
