package import Documents

/// Reads property lists in binary and in XML.
///
/// The time and memory for reading are proportional to the number of bytes, whatever their content. Reading returns a
/// value within ``PropertyListLimits``, or throws an error.
package enum PropertyListReader {
    /// Returns whether a file is intended as a property list.
    ///
    /// No other supported format begins with `bplist` or `<`.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        isBinary(bytes) || isMarkup(bytes)
    }

    /// Reads a property list in either form.
    ///
    /// - Parameters:
    ///   - name: The name of the file, for error messages.
    ///   - limits: The limits for the content; peers of a network should have smaller ones.
    /// - Throws: ``DocumentError`` with the first error and its position.
    package static func read(
        _ bytes: [UInt8],
        name: String,
        limits: PropertyListLimits = .file
    ) throws(DocumentError) -> PropertyList {
        if isBinary(bytes) {
            var reader = try BinaryPropertyListReader(bytes, name: name, limits: limits)
            return try reader.read()
        }
        var reader = XMLPropertyListReader(bytes, name: name, limits: limits)
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
