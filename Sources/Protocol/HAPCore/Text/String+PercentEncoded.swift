extension String {
    /// The text as a part of a URL: `%` and two hexadecimal digits for each byte that is not an ASCII letter or digit.
    package var percentEncoded: String { percentEncoded(keeping: "") }

    /// The text as a part of a URL, with further ASCII characters that stay as they are.
    package func percentEncoded(keeping kept: String) -> String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where kept.utf8.contains(byte): text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + byte.paddedHexadecimal
            }
        }
    }
}
