/// A UUID that identifies a type, and that has a short form if Apple has defined the type.
///
/// Apple's types are `XXXXXXXX-0000-1000-8000-0026BB765291`. They are sent as the first group without leading zeros, in
/// upper case. All other types are sent in full.
///
/// HAP: §11.3
public struct HAPUUID: Sendable, Hashable {
    /// The first 64 bits, from left to right.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// Creates a UUID from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates the Apple-defined type with this short number.
    public init(apple short: UInt32) {
        self.init(high: UInt64(short) << 32 | Self.appleHigh, low: Self.appleLow)
    }

    /// Parses the long or the short form, in either case; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        var length = 0
        for byte in text.utf8 {
            length += 1
            if byte == UInt8(ascii: "-") {
                guard length == 9 || length == 14 || length == 19 || length == 24 else { return nil }
                continue
            }
            guard let digit = byte.hexadecimalDigit, digits < 32 else { return nil }
            if digits < 16 {
                high = high << 4 | UInt64(digit)
            } else {
                low = low << 4 | UInt64(digit)
            }
            digits += 1
        }
        if digits == 32, length == 36 {
            self.init(high: high, low: low)
        } else if length == digits, 1...8 ~= digits {
            self.init(apple: UInt32(truncatingIfNeeded: high))
        } else {
            return nil
        }
    }

    /// Parses a type as devices write it: in either form, or as the 32 digits of the long form without hyphens.
    package init?(lenient text: String) {
        let bytes = text.utf8
        guard bytes.count == 32 else {
            self.init(text)
            return
        }
        var hyphenated: [UInt8] = []
        for (position, byte) in bytes.enumerated() {
            if [8, 12, 16, 20].contains(position) { hyphenated.append(UInt8(ascii: "-")) }
            hyphenated.append(byte)
        }
        self.init(String(decoding: hyphenated, as: UTF8.self))
    }

    /// The short number of an Apple-defined type, `nil` for every other.
    public var apple: UInt32? {
        low == Self.appleLow && high & 0xFFFF_FFFF == Self.appleHigh ? UInt32(truncatingIfNeeded: high >> 32) : nil
    }

    /// The form on the wire: short for Apple's types, long for all others.
    public var shortened: String {
        if let apple {
            return String(apple, radix: 16, uppercase: true)
        }
        return description
    }

    private static let appleHigh: UInt64 = 0x0000_1000
    private static let appleLow: UInt64 = 0x8000_0026_BB76_5291
}

extension HAPUUID: CustomStringConvertible {
    /// The full form: 36 characters, upper case, with dashes.
    public var description: String {
        var text = ""
        text.reserveCapacity(36)
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 {
                text.append("-")
            }
            let half = position < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (position % 16))) & 0x0F
            text.append(Character(UnicodeScalar(UInt8.upperHexadecimalDigits[Int(digit)])))
        }
        return text
    }
}

extension UInt8 {
    /// The value of this ASCII hexadecimal digit in either case, `nil` for any other byte.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The value of this ASCII decimal digit, `nil` for any other byte.
    package var decimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        default: nil
        }
    }

    /// `0123456789ABCDEF` in ASCII.
    package static let upperHexadecimalDigits = [UInt8]("0123456789ABCDEF".utf8)
}
