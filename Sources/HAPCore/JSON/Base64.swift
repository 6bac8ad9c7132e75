/// Base64 with the standard alphabet and padding, as HAP's `tlv8` and `data` values travel.
///
/// HAP: §11.5, [RFC 4648](https://www.rfc-editor.org/rfc/rfc4648#section-4)
package enum Base64 {
    /// The text of these bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of these bytes.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            if count == 3 {
                appendDigits(of: group, count: 4, to: &text)
                group = 0
                count = 0
            }
        }
        if count > 0 {
            appendDigits(of: group << UInt32(8 * (3 - count)), count: count + 1, to: &text)
            text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - count))
        }
    }

    /// The bytes of a text; `nil` for a foreign character, wrong or missing padding, or bits set beyond the last byte.
    package static func decode(_ text: String) -> [UInt8]? {
        decode(text.utf8)
    }

    /// The bytes of a text; `nil` for a foreign character, wrong or missing padding, or bits set beyond the last byte.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.underestimatedCount / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for character in text {
            if character == UInt8(ascii: "=") {
                padding += 1
                guard padding <= 2 else { return nil }
                continue
            }
            guard padding == 0, let digit = value(of: character) else { return nil }
            group = group << 6 | digit
            digits += 1
            if digits == 4 {
                appendBytes(of: group, count: 3, to: &bytes)
                group = 0
                digits = 0
            }
        }
        switch (digits, padding) {
        case (0, 0):
            return bytes
        case (3, 1):
            guard group & 0x03 == 0 else { return nil }
            appendBytes(of: group << 6, count: 2, to: &bytes)
            return bytes
        case (2, 2):
            guard group & 0x0F == 0 else { return nil }
            appendBytes(of: group << 12, count: 1, to: &bytes)
            return bytes
        default:
            return nil
        }
    }

    private static func appendDigits(of group: UInt32, count: Int, to text: inout [UInt8]) {
        for position in 0..<count {
            text.append(digit(UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * position)) & 0x3F))
        }
    }

    private static func appendBytes(of group: UInt32, count: Int, to bytes: inout [UInt8]) {
        for position in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * position)))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
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
