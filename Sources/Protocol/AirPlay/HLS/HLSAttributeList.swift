/// The attributes of a tag of a playlist: `NAME=value,NAME="quoted, value"`.
///
/// [Attribute lists](https://www.rfc-editor.org/rfc/rfc8216#section-4.2)
struct HLSAttributeList {
    /// The maximum number of attributes of a tag.
    static let maximumCount = 64

    private var values: [String: String] = [:]

    /// Reads a list.
    ///
    /// The first attribute of a name counts.
    ///
    /// - Throws: ``AirPlayError`` for more than ``maximumCount`` attributes, an attribute without a name or an equals
    ///   sign, and a quoted value without an end.
    init(parsing text: Substring) throws(AirPlayError) {
        let bytes = Array(text.utf8)
        var position = 0
        var count = 0
        while position < bytes.count {
            count += 1
            guard count <= Self.maximumCount else { throw .tooLong(limit: Self.maximumCount) }
            guard let equals = bytes[position...].firstIndex(of: UInt8(ascii: "=")) else {
                throw .malformed("An attribute of a playlist has no value.")
            }
            let name = String(decoding: bytes[position..<equals], as: UTF8.self).trimmed
            guard !name.isEmpty else { throw .malformed("An attribute of a playlist has no name.") }
            let value: ArraySlice<UInt8>
            position = equals + 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                guard let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "\"")) else {
                    throw .malformed("A quoted value of a playlist has no end.")
                }
                value = bytes[(position + 1)..<end]
                position = end + 1
                guard position == bytes.count || bytes[position] == UInt8(ascii: ",") else {
                    throw .malformed("A quoted value of a playlist is not followed by a comma.")
                }
            } else {
                let end = bytes[position...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
                value = bytes[position..<end]
                position = end
            }
            // The comma.
            position += 1
            if values[String(name)] == nil {
                values[String(name)] = String(String(decoding: value, as: UTF8.self).trimmed)
            }
        }
    }

    /// The value of an attribute without its quotation marks; `nil` if it is missing.
    subscript(name: String) -> String? { values[name] }
}
