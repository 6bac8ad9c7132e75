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
