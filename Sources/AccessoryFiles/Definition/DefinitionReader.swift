/// STUB.
enum DefinitionReader {
    static func read(
        _ bytes: [UInt8],
        name: String,
        include: (String) -> [UInt8]?
    ) throws(AccessoryFileError) -> AccessoryFileReading {
        fatalError("not written yet")
    }
}
