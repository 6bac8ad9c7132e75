/// STUB.
enum ArchiveReader {
    static func read(_ bytes: [UInt8], name: String) throws(AccessoryFileError) -> AccessoryFileReading {
        fatalError("not written yet")
    }
}
