/// STUB.
enum DumpReader {
    static func read(_ bytes: [UInt8], name: String) throws(AccessoryFileError) -> AccessoryFileReading {
        fatalError("not written yet")
    }

    static func recognizes(_ bytes: [UInt8]) -> Bool {
        false
    }
}
