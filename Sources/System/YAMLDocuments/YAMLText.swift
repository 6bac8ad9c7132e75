internal import Documents
internal import HAPCore
internal import Yams

/// A YAML text prepared for Yams: without aliases, and without two equal keys in a map.
struct YAMLText {
    /// The text for Yams.
    private(set) var yaml: String
    /// Whether it contains marks that distinguish repeated keys.
    private(set) var hasDisambiguatedKeys = false

    /// The replacement of every `*`, or `nil` if the text has none.
    private let asteriskSubstitute: Unicode.Scalar?
    /// The prefix of repeated keys.
    private let keyMarker: Unicode.Scalar
    /// The columns of the prefixes in each line.
    private var keyMarkerColumns: [Int: [Int]] = [:]
    private var remainingAttempts: Int

    /// Creates a text from UTF-8; returns `nil` if fewer than two private characters are unused.
    init?(_ bytes: [UInt8]) {
        let hasAsterisk = bytes.contains(UInt8(ascii: "*"))
        var yaml = String(decoding: bytes, as: UTF8.self)
        var unused: [Unicode.Scalar] = []
        let used = Self.privateCharacters(in: bytes, yaml)
        for value in 0xE000...0xF8FF as ClosedRange<UInt32> where unused.count < 2 && !used.contains(value) {
            if let scalar = Unicode.Scalar(value) {
                unused.append(scalar)
            }
        }
        guard unused.count == 2 else { return nil }
        if hasAsterisk {
            yaml = yaml.replacing("*", by: unused[0])
        }
        self.yaml = yaml
        asteriskSubstitute = hasAsterisk ? unused[0] : nil
        keyMarker = unused[1]
        remainingAttempts = min(32, (1 << 19) / max(1, bytes.count))
    }

    /// Returns the private characters that a text contains, also as escapes.
    private static func privateCharacters(in bytes: [UInt8], _ yaml: String) -> Set<UInt32> {
        var used: Set<UInt32> = []
        // In UTF-8, private characters begin with one of these bytes.
        if bytes.contains(where: { $0 == 0xEE || $0 == 0xEF }) {
            used.formUnion(yaml.unicodeScalars.lazy.map(\.value).filter { 0xE000...0xF8FF ~= $0 })
        }
        for position in bytes.indices.dropLast() where bytes[position] == UInt8(ascii: "\\") {
            let count = bytes[position + 1] == UInt8(ascii: "u") ? 4 : bytes[position + 1] == UInt8(ascii: "U") ? 8 : 0
            let digits = bytes[(position + 2)...].prefix(count)
            if count > 0, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) {
                used.insert(value)
            }
        }
        return used
    }

    /// Returns the name of an alias if an unquoted value is one; otherwise `nil`.
    func alias(_ value: String) -> String? {
        guard let asteriskSubstitute, value.unicodeScalars.first == asteriskSubstitute else { return nil }
        return restored(String(value.unicodeScalars.dropFirst()))
    }

    /// Returns a value with its asterisks as in the file.
    func restored(_ value: String) -> String {
        guard asteriskSubstitute != nil || hasDisambiguatedKeys else { return value }
        guard value.unicodeScalars.contains(where: { $0 == asteriskSubstitute || $0 == keyMarker }) else {
            return value
        }
        var restored = String.UnicodeScalarView()
        for scalar in value.unicodeScalars where scalar != keyMarker {
            restored.append(scalar == asteriskSubstitute ? "*" : scalar)
        }
        return String(restored)
    }

    /// Returns a position in the file.
    func position(_ mark: Mark?) -> TextPosition {
        guard let mark else { return TextPosition(line: 1, column: 1) }
        let before = keyMarkerColumns[mark.line]?.count { $0 < mark.column } ?? 0
        return TextPosition(line: mark.line, column: mark.column - before)
    }

    /// Adds a prefix to the key at `mark` to distinguish it from equal ones.
    ///
    /// Returns `false` if that is not possible, or was done too often.
    mutating func disambiguate(keyAt mark: Mark) -> Bool {
        guard remainingAttempts > 0, let start = index(of: mark) else { return false }
        var place = start
        var column = mark.column
        switch yaml.unicodeScalars[start] {
        case "\"", "'":
            place = yaml.unicodeScalars.index(after: start)
            column += 1
        case "!", "&", "|", ">", "[", "{", "?", "%", "@", "`", "#", ",", "]", "}", "\n", "\r": return false
        default: break
        }
        yaml.unicodeScalars.insert(keyMarker, at: place)
        keyMarkerColumns[mark.line] = (keyMarkerColumns[mark.line] ?? []).map { $0 >= column ? $0 + 1 : $0 } + [column]
        hasDisambiguatedKeys = true
        remainingAttempts -= 1
        return true
    }

    private func index(of mark: Mark) -> String.Index? {
        var line = 1
        var column = 1
        var previous: Unicode.Scalar?
        let scalars = yaml.unicodeScalars
        for index in scalars.indices {
            if line == mark.line, column == mark.column { return index }
            let scalar = scalars[index]
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
                line += 1
                column = 1
            default: column += 1
            }
            previous = scalar
        }
        return nil
    }
}

extension String {
    fileprivate func replacing(_ old: Unicode.Scalar, by new: Unicode.Scalar) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        let replacement = Array(String(Character(new)).utf8)
        for byte in utf8 {
            if UInt32(byte) == old.value {
                bytes += replacement
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
