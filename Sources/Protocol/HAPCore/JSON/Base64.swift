/// Base64 with the standard alphabet and padding, the encoding of HAP's `tlv8` and `data` values.
///
/// HAP: §11.5, [RFC 4648](https://www.rfc-editor.org/rfc/rfc4648#section-4)
package enum Base64 {
    // libsodium's Base64 is not used: version 1.0.18 accepts bytes from 0x80 up as digits, and it is slower. For 1 kB,
    // it decodes with 103 instructions per byte and encodes with 71; this type takes 25 and 24 (docs/performance.md).

    /// Returns the text of these bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of these bytes.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        // The text is first filled with padding and then overwritten: a value may have megabytes, and appending digit
        // by digit is slow.
        let start = text.count
        text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: encodedSize(of: bytes.count)))
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let input = bytes.span
        var output = text.mutableSpan
        for number in 0..<groups {
            let (from, to) = (3 * number, start + 4 * number)
            let group = UInt32(input[from]) << 16 | UInt32(input[from + 1]) << 8 | UInt32(input[from + 2])
            output[to] = digit(group >> 18)
            output[to + 1] = digit(group >> 12)
            output[to + 2] = digit(group >> 6)
            output[to + 3] = digit(group)
        }
        guard rest > 0 else { return }
        let (from, to) = (3 * groups, start + 4 * groups)
        let group = UInt32(input[from]) << 16 | (rest == 2 ? UInt32(input[from + 1]) << 8 : 0)
        output[to] = digit(group >> 18)
        output[to + 1] = digit(group >> 12)
        if rest == 2 {
            output[to + 2] = digit(group >> 6)
        }
    }

    /// Returns the number of characters that `count` bytes become.
    package static func encodedSize(of count: Int) -> Int {
        (count / 3 + (count % 3 == 0 ? 0 : 1)) * 4
    }

    /// Returns the bytes of a text; `nil` for a foreign character, wrong or missing padding, or bits set beyond the
    /// last byte.
    package static func decode(_ text: String) -> [UInt8]? {
        decode(text.utf8)
    }

    /// Returns the bytes of a text; `nil` for a foreign character, wrong or missing padding, or bits set beyond the
    /// last byte.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        // A Swift string is contiguous; other sequences may not be.
        if let bytes = text.withContiguousStorageIfAvailable({ decode($0.span) }) { return bytes }
        return decode(Array(text).span)
    }

    private static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        guard !text.isEmpty else { return [] }
        let last = text.count - 1
        let padding = text[last] != UInt8(ascii: "=") ? 0 : text[last - 1] != UInt8(ascii: "=") ? 1 : 2
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 - padding)
        let groups = bytes.count / 3
        var output = bytes.mutableSpan
        for number in 0..<groups {
            let (from, to) = (4 * number, 3 * number)
            guard let first = value(of: text[from]), let second = value(of: text[from + 1]),
                let third = value(of: text[from + 2]), let fourth = value(of: text[from + 3])
            else { return nil }
            let group = first << 18 | second << 12 | third << 6 | fourth
            output[to] = UInt8(truncatingIfNeeded: group >> 16)
            output[to + 1] = UInt8(truncatingIfNeeded: group >> 8)
            output[to + 2] = UInt8(truncatingIfNeeded: group)
        }
        guard padding > 0 else { return bytes }
        let (from, to) = (4 * groups, 3 * groups)
        guard let first = value(of: text[from]), let second = value(of: text[from + 1]) else { return nil }
        output[to] = UInt8(truncatingIfNeeded: first << 2 | second >> 4)
        guard padding == 1 else { return second & 0x0F == 0 ? bytes : nil }
        guard let third = value(of: text[from + 2]), third & 0x03 == 0 else { return nil }
        output[to + 1] = UInt8(truncatingIfNeeded: second << 4 | third >> 2)
        return bytes
    }

    /// Returns the digit of the lowest six bits.
    private static func digit(_ bits: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits) & 0x3F
        return switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
