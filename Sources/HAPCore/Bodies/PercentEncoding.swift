/// The escapes of a URL's query.
///
/// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.1)
enum PercentEncoding {
    /// Replaces every `%XX` by its byte.
    ///
    /// - Throws: `ProtocolError` with code `http` for a percent sign that two hexadecimal digits do not follow.
    static func decode(_ text: [UInt8]) throws(ProtocolError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = 0
        while position < text.count {
            guard text[position] == UInt8(ascii: "%") else {
                bytes.append(text[position])
                position += 1
                continue
            }
            guard position + 2 < text.count, let high = text[position + 1].hexadecimalDigit,
                let low = text[position + 2].hexadecimalDigit
            else {
                throw ProtocolError(.http, "a percent sign without two digits", at: "query")
            }
            bytes.append(high << 4 | low)
            position += 3
        }
        return bytes
    }
}
