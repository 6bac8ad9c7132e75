import Foundation
import HAPCore
import TestSupport
import Testing
import WebConsole

@testable import hap

/// Files of the folder of definitions that are saved over others, or that cannot be served.
extension ServedFolderProcessTests {
    /// Files with content that is missing in the definition by which they are replaced.
    static let otherFiles: [(name: String, content: Data)] = [
        ("latin.yaml", Data(lamp.utf8) + Data([0x23, 0xE9, 0x0A])), ("dump.json", Data(Dumps.odd)),
        ("dump.yaml", Data(Dumps.odd)),
    ]

    @Test(arguments: otherFiles)
    func copyIsKeptOfAFileThatIsNotADefinition(name: String, content: Data) async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        try content.write(to: URL(filePath: folder("files/\(name)")))
        let (process, _) = try await serving()
        let revision = try await request("GET", "/definitions/\(name)").json?["revision"]?.string
        let saved = try await save(Self.lamp, to: name, revision: revision)
        #expect(saved.status == 200, "\(saved)")
        #expect(try Data(contentsOf: URL(filePath: folder("files/\(name).1.bak"))) == content)
        // A definition is replaced without a copy.
        let again = try await save(Self.lamp, to: name, revision: saved.json?["revision"]?.string)
        #expect(again.status == 200, "\(again)")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder("files"))) == [name, "\(name).1.bak"])
        #expect(try await process.terminate().status == 0)
    }

    @Test func fileWithSeveralDevicesIsNotReplaced() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        try Data(Dumps.entityMap).write(to: URL(filePath: folder("files/map.json")))
        let (process, _) = try await serving()
        let revision = try await request("GET", "/definitions/map.json").json?["revision"]?.string
        let refused = try await save(Self.lamp, to: "map.json", revision: revision, keepCopy: true)
        #expect(refused.status == 409 && refused.json?["code"]?.string == "refused", "\(refused)")
        #expect(refused.json?["detail"]?.string?.contains("several devices") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["map.json"])
        #expect(try Data(contentsOf: URL(filePath: folder("files/map.json"))) == Data(Dumps.entityMap))
        #expect(try await process.terminate().status == 0)
    }

    @Test func fileThatIsSavedButNotServedCanBeSavedAgain() async throws {
        // There is no port after this one.
        let taken = try await HapProcess.serving(["--console", "off", "--port", "65535"], in: try TemporaryFolder())
        let (process, _) = try await serving("--port", "65535")
        let failed = try await save(Self.lamp, to: "lamp.yaml")
        #expect(failed.status == 500 && failed.json?["code"]?.string == "failed", "\(failed)")
        let revision = try #require(failed.json?["revision"]?.string)
        #expect(try await request("GET", "/definitions/lamp.yaml").json?["revision"]?.string == revision)
        #expect(try await taken.process.terminate().status == 0)
        let saved = try await save(Self.lamp + "    name: Bulb\n", to: "lamp.yaml", revision: revision)
        #expect(saved.status == 200, "\(saved)")
        #expect(try await list("/definitions", "server") == ["Lamp"])
        #expect(try await process.terminate().status == 0)
    }
}
