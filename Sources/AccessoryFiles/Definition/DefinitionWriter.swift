/// STUB.
enum DefinitionWriter {
    static func write(
        _ document: AccessoryDocument,
        as kind: AccessoryFileKind,
        name: String
    ) -> (bytes: [UInt8], losses: [FileFinding]) {
        fatalError("not written yet")
    }
}
