package import Documents

/// Reads property lists, binary and XML.
///
/// Whatever the bytes are, reading takes time and memory in proportion to them, and ends in a value within
/// ``PropertyList/maximumDepth`` and ``PropertyList/maximumValues`` or in an error.
package enum PropertyListReader {
    /// Whether a file is a property list or means to be one: nothing else that is read begins with `bplist` or `<`.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        isBinary(bytes) || isMarkup(bytes)
    }

    /// Reads a property list of either kind.
    ///
    /// - Parameter name: The file, as it was named, for the error.
    /// - Throws: ``DocumentError`` with the first thing that is wrong, and where.
    package static func read(_ bytes: [UInt8], name: String) throws(DocumentError) -> PropertyList {
        if isBinary(bytes) {
            var reader = try BinaryPropertyListReader(bytes, name: name)
            return try reader.read()
        }
        var reader = XMLPropertyListReader(bytes, name: name)
        return try reader.read()
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "bplist".utf8)
    }

    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }
}
