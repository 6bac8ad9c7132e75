import AccessoryFiles
import Documents
import Foundation
import HomeModel
import Testing

/// Tests that all errors of a home file are reported at once.
///
/// Run with `HAP_WRITE_FIXTURES=1` to update the expected diagnostics.
@Suite
struct BrokenHomeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "BrokenHomes")

    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test
    func thereAreBrokenHomes() {
        #expect(Self.names.count >= 7)
    }

    @Test(arguments: names)
    func allDiagnosticsOfABrokenHomeAreReportedAtOnce(name: String) throws {
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
            let document = try HomeFile.read(bytes, name: name)
            let merge = HomeMerge(document, into: Homes(), known: [])
            return HomeFile.diagnostics(of: merge, in: name).map { $0.description + "\n" }.joined()
        } catch {
            return error.description + "\n"
        }
    }
}
