import Foundation

/// A folder that is gone with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("hap-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the folder.
    func callAsFunction(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a text into a file of the folder and answers its path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
        return self(name)
    }
}
