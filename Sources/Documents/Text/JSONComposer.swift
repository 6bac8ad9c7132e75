internal import HAPCore

/// Makes nodes of JSON, within the limits of ``DocumentText``.
///
/// Strict as RFC 8259 has it, and with positions; a key that occurs twice is noted and left out.
package struct JSONComposer {
    private let bytes: [UInt8]
    private let file: String
    private var offset = 0
    private var position = TextPosition(line: 1, column: 1)
    private var remainingNodes = DocumentText.maximumNodes

    /// The root of a text that has passed ``DocumentText``; `nil` when it has none, for a reason that is noted.
    package static func compose(
        _ bytes: [UInt8],
        in file: String,
        _ findings: inout DiagnosticCollector
    ) -> DocumentNode? {
        var composer = JSONComposer(bytes: bytes, file: file)
        do throws(Fault) {
            composer.skipBlanks()
            let root = try composer.value(at: .root, depth: 0, &findings)
            composer.skipBlanks()
            guard composer.offset == bytes.count else { throw composer.fault("there is text after the end; remove it") }
            return root
        } catch {
            findings.report(in: file, at: error.position, "this is not JSON: \(error.reason)")
            return nil
        }
    }

    private init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    private struct Fault: Error {
        var position: TextPosition
        var reason: String
    }

    private func fault(_ reason: String) -> Fault {
        Fault(position: position, reason: reason)
    }

    /// The next byte; at the end a zero byte, which no rule admits.
    private var next: UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    private mutating func advance() {
        let byte = bytes[offset]
        offset += 1
        if byte == 0x0A {
            position = TextPosition(line: position.line + 1, column: 1)
        } else if offset == bytes.count || bytes[offset] & 0xC0 != 0x80 {
            position.column += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        advance()
        return true
    }

    private mutating func skipBlanks() {
        while offset < bytes.count, Self.isBlank(bytes[offset]) { advance() }
    }

    private mutating func value(
        at path: DocumentPath,
        depth: Int,
        _ findings: inout DiagnosticCollector
    ) throws(Fault) -> DocumentNode {
        remainingNodes -= 1
        guard remainingNodes >= 0 else {
            throw fault("the file has more than \(DocumentText.maximumNodes) values; divide it into several")
        }
        let start = position
        switch next {
        case UInt8(ascii: "{"):
            let members = try object(at: path, depth: depth + 1, &findings)
            return DocumentNode(position: start, content: .mapping(members))
        case UInt8(ascii: "["):
            let elements = try array(at: path, depth: depth + 1, &findings)
            return DocumentNode(position: start, content: .sequence(elements))
        case UInt8(ascii: "\""):
            return DocumentNode(position: start, content: .scalar(DocumentScalar(quoted: try string())))
        default:
            return DocumentNode(position: start, content: .scalar(try word()))
        }
    }

    private mutating func array(
        at path: DocumentPath,
        depth: Int,
        _ findings: inout DiagnosticCollector
    ) throws(Fault) -> [DocumentNode] {
        try check(depth)
        advance()
        skipBlanks()
        var elements: [DocumentNode] = []
        if take("]") { return elements }
        while true {
            skipBlanks()
            elements.append(try value(at: .index(elements.count, in: path), depth: depth, &findings))
            skipBlanks()
            if take("]") { return elements }
            guard take(",") else { throw fault("an array goes on with , or ends with ]; write one of them") }
        }
    }

    private mutating func object(
        at path: DocumentPath,
        depth: Int,
        _ findings: inout DiagnosticCollector
    ) throws(Fault) -> [DocumentMember] {
        try check(depth)
        advance()
        skipBlanks()
        var members: [DocumentMember] = []
        var keys: Set<ExactText> = []
        if take("}") { return members }
        while true {
            skipBlanks()
            let start = position
            guard next == UInt8(ascii: "\"") else {
                throw fault("a key in double quotes is missing; write one, or remove the comma in front")
            }
            let key = try string()
            remainingNodes -= 1
            skipBlanks()
            guard take(":") else { throw fault("a key is followed by :; write it, and a value") }
            skipBlanks()
            let value = try value(at: .key(key, in: path), depth: depth, &findings)
            if keys.insert(ExactText(key)).inserted {
                members.append(DocumentMember(key: key, position: start, value: value))
            } else {
                findings.report(
                    in: file,
                    at: start,
                    path: .key(key, in: path),
                    "this key occurs twice; remove one of them"
                )
            }
            skipBlanks()
            if take("}") { return members }
            guard take(",") else { throw fault("an object goes on with , or ends with }; write one of them") }
        }
    }

    private func check(_ depth: Int) throws(Fault) {
        guard depth <= DocumentText.maximumDepth else {
            throw fault(
                "arrays and objects lie in each other more than \(DocumentText.maximumDepth) deep; write them flat"
            )
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isDivider(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
            UInt8(ascii: "}"), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private mutating func word() throws(Fault) -> DocumentScalar {
        let start = self
        while offset < bytes.count, !Self.isBlank(bytes[offset]), !Self.isDivider(bytes[offset]) { advance() }
        let text = String(decoding: bytes[start.offset..<offset], as: UTF8.self)
        let scalar = DocumentScalar(plain: text)
        let isJSON =
            switch scalar.meaning {
            case .null: text == "null"
            case .bool: text == "true" || text == "false"
            case .number:
                !text.hasPrefix("+") && !text.hasPrefix(".") && !text.hasPrefix("-.") && !text.hasSuffix(".")
                    && !text.contains(".e") && !text.contains(".E")
            case .text: false
            }
        guard isJSON else {
            throw start.fault(
                text.isEmpty
                    ? "a value is missing; write one, or remove the comma in front"
                    : "\(text.quotedForPeople) is no value; put it in double quotes"
            )
        }
        return scalar
    }

    private mutating func string() throws(Fault) -> String {
        let start = position
        advance()
        var text: [UInt8] = []
        while true {
            switch next {
            case UInt8(ascii: "\""):
                advance()
                let text = String(decoding: text, as: UTF8.self)
                // Keys are compared.
                guard !text.hasLongRunOfMarks else { throw Fault(position: start, reason: DocumentText.tooManyMarks) }
                return text
            case UInt8(ascii: "\\"):
                advance()
                try escape(into: &text)
            case 0..<0x20:
                throw fault(
                    offset == bytes.count
                        ? "a text is not closed; add a double quote"
                        : "a text has no line breaks or controls; write them as \\n or \\u0007"
                )
            default:
                text.append(next)
                advance()
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(Fault) {
        guard offset < bytes.count else { throw fault("a text is not closed; add a double quote") }
        let byte: UInt8? =
            switch next {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): next
            case UInt8(ascii: "b"): 0x08
            case UInt8(ascii: "f"): 0x0C
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            default: nil
            }
        if let byte {
            advance()
            text.append(byte)
            return
        }
        guard take("u") else { throw fault("there is no such escape; write \\\\ for a backslash") }
        var value = try hexadecimal()
        if 0xD800..<0xDC00 ~= value {
            guard take("\\"), take("u") else {
                throw fault("half of a character is missing; write both, as \\ud83d\\ude00")
            }
            let low = try hexadecimal()
            guard 0xDC00..<0xE000 ~= low else {
                throw fault("half of a character is missing; write both, as \\ud83d\\ude00")
            }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw fault("half of a character is missing; write both, as \\ud83d\\ude00")
        }
        text += Array(String(Character(scalar)).utf8)
    }

    private mutating func hexadecimal() throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
                throw fault("an escape has four hexadecimal digits; write all of them")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}
