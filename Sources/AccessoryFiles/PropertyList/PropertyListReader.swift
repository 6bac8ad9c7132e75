/// STUB.
enum PropertyListReader {
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        false
    }
}
