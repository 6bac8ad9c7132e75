/// STUB.
enum DumpWriter {
    static func write(
        _ document: AccessoryDocument,
        name: String
    ) throws(AccessoryFileError) -> (bytes: [UInt8], losses: [FileFinding]) {
        fatalError("not written yet")
    }
}
