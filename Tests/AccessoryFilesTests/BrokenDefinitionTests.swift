import AccessoryFiles
import Documents
import Foundation
import Testing

@Suite
struct BrokenDefinitionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Broken")

    /// The names of the definitions in the folder.
    ///
    /// `NAME.findings` contains the expected diagnostics of `NAME.yaml`.
    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test
    func thereAreBrokenDefinitions() {
        #expect(Self.names.count > 30)
    }

    @Test(arguments: names)
    func allDiagnosticsOfABrokenDefinitionAreReportedAtOnce(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name + ".yaml")))
        let found = Self.diagnostics(of: bytes, named: name + ".yaml")
        let file = Self.folder.appending(path: name + ".findings")
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(found.utf8).write(to: file)
        }
        #expect(!found.isEmpty)
        #expect(found == (try String(contentsOf: file, encoding: .utf8)))
    }

    private static func diagnostics(of bytes: [UInt8], named name: String) -> String {
        do throws(DocumentError) {
            _ = try AccessoryFile.read(bytes, name: name)
            return ""
        } catch {
            return error.description + "\n"
        }
    }
}
