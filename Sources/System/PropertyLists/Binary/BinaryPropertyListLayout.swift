internal import Documents
internal import HAPCore

/// The positions of the parts of a binary property list, from its last 32 bytes.
struct BinaryPropertyListLayout {
    /// The first bytes of every file; there is only one version.
    static let header = [UInt8]("bplist00".utf8)
    /// The number of bytes of the trailer.
    static let trailerLength = 32

    /// The number of objects, from 1 to the maximum number of values.
    let objectCount: Int
    /// The number of the root object.
    let topObject: Int
    /// The number of bytes of an object number, 1 to 8.
    let referenceSize: Int
    /// The positions of the bytes between header and offset table.
    let objectArea: Range<Int>

    private let offsetSize: Int

    init(of bytes: [UInt8], name: String, limits: PropertyListLimits) throws(DocumentError) {
        func fault(_ reason: String) -> DocumentError {
            DocumentError(in: name, path: "byte \(max(bytes.count - Self.trailerLength, 0))", reason)
        }
        guard bytes.starts(with: Self.header) else {
            throw DocumentError(
                in: name,
                path: "byte 0",
                "a binary property list begins with bplist00; export the file again"
            )
        }
        guard bytes.count > Self.header.count + Self.trailerLength else {
            throw fault("the file has \(bytes.count) bytes and ends too early; it is truncated, so copy it again")
        }
        let end = bytes.count - Self.trailerLength
        offsetSize = Int(bytes[end + 6])
        referenceSize = Int(bytes[end + 7])
        let count = bytes[(end + 8)..<(end + 16)].bigEndian
        let top = bytes[(end + 16)..<(end + 24)].bigEndian
        let table = bytes[(end + 24)..<(end + 32)].bigEndian
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
            throw fault(
                "offsets have \(offsetSize) bytes and references \(referenceSize); both must have 1 to 8, so export "
                    + "the file again"
            )
        }
        guard 1...UInt64(limits.maximumValues) ~= count else {
            throw fault(
                "there are \(count) objects; 1 to \(limits.maximumValues) are allowed, so export fewer "
                    + "accessories at once"
            )
        }
        guard top < count else {
            throw fault(
                "the root object is number \(top), but the last one is \(count - 1); the file is damaged, so export "
                    + "it again"
            )
        }
        objectCount = Int(count)
        topObject = Int(top)
        guard UInt64(Self.header.count) < table, table <= UInt64(end),
            objectCount * offsetSize <= end - Int(table)
        else {
            throw fault(
                "the offset table, at byte \(table), is not between the objects and the trailer; the file is "
                    + "truncated, so copy it again"
            )
        }
        objectArea = Self.header.count..<Int(table)
    }

    /// Returns the offset of an object according to the offset table, which may be wrong.
    func offset(of number: Int, in bytes: [UInt8]) -> Int {
        let start = objectArea.upperBound + number * offsetSize
        return Int(clamping: bytes[start..<(start + offsetSize)].bigEndian)
    }
}
