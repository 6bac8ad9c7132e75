import Foundation
import HAPCore
import HTTPTypes
import Hosting
import TestSupport
import Testing

@testable import WebConsole

/// Files of the folder of definitions that are saved over others, or that cannot be served.
extension ServedFolderTests {
    /// Files with content that is missing in the definition by which they are replaced.
    static let otherFiles: [(name: String, content: Data)] = [
        ("latin.yaml", Data(lamp.utf8) + Data([0x23, 0xE9, 0x0A])), ("dump.json", Data(Dumps.odd)),
        ("dump.yaml", Data(Dumps.odd)),
    ]

    @Test(arguments: otherFiles)
    func copyIsKeptOfAFileThatIsNotADefinition(name: String, content: Data) async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        try content.write(to: URL(filePath: folder("files/\(name)")))
        let served = try await serving()
        let revision = try await served.request(.get, "/definitions/\(name)").json?["revision"]?.string
        let saved = try await served.save(Self.lamp, to: name, revision: revision)
        #expect(saved.status == 200, "\(saved)")
        #expect(try Data(contentsOf: URL(filePath: folder("files/\(name).1.bak"))) == content)
        // A definition is replaced without a copy.
        let again = try await served.save(Self.lamp, to: name, revision: saved.json?["revision"]?.string)
        #expect(again.status == 200, "\(again)")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder("files"))) == [name, "\(name).1.bak"])
        await served.host.stop()
    }

    @Test func fileWithSeveralDevicesIsNotReplaced() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        try Data(Dumps.entityMap).write(to: URL(filePath: folder("files/map.json")))
        let served = try await serving()
        let revision = try await served.request(.get, "/definitions/map.json").json?["revision"]?.string
        let refused = try await served.save(Self.lamp, to: "map.json", revision: revision, keepCopy: true)
        #expect(refused.status == 409 && refused.json?["code"]?.string == "refused", "\(refused)")
        #expect(refused.json?["detail"]?.string?.contains("several devices") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["map.json"])
        #expect(try Data(contentsOf: URL(filePath: folder("files/map.json"))) == Data(Dumps.entityMap))
        await served.host.stop()
    }

    @Test func fileThatIsSavedButNotServedCanBeSavedAgain() async throws {
        let taken = try await serverOnTheLastPort()
        let served = try await serving(port: .max)
        let failed = try await served.save(Self.lamp, to: "lamp.yaml")
        #expect(failed.status == 500 && failed.json?["code"]?.string == "failed", "\(failed)")
        let revision = try #require(failed.json?["revision"]?.string)
        #expect(try await served.request(.get, "/definitions/lamp.yaml").json?["revision"]?.string == revision)
        await taken.stop()
        let saved = try await served.save(Self.lamp + "    name: Bulb\n", to: "lamp.yaml", revision: revision)
        #expect(saved.status == 200, "\(saved)")
        #expect(try await served.list("/definitions", "server") == ["Lamp"])
        await served.host.stop()
    }

    @Test func programOfADriverIsRefusedAtItsPlaceBeforeAndWhenADraftIsSaved() async throws {
        let served = try await serving()
        let accessory = "accessory: Shed\ndriver: { command: { read: [date] } }\nservices: [{ type: Switch }]\n"
        let bridge = "bridge: B\naccessories:\n  - \(accessory.dropLast().replacing("\n", with: "\n    "))\n"
        for (text, path) in [(accessory, "driver"), (bridge, "accessories[0].driver")] {
            let body = ServedFolder.json([("text", .string(text))])
            let checked = try await served.request(.post, "/definitions/check", body)
            let refused = try await served.save(text, to: "shed.yaml")
            #expect(refused.status == 422)
            for answer in [checked, refused] {
                let diagnostics = answer.json?["diagnostics"]?.array?.map(\.object)
                #expect(diagnostics?.map { $0?["path"]?.string } == [path], "\(answer)")
                #expect(diagnostics?.first??["message"]?.string?.contains("--allow-commands") == true)
            }
        }
        await served.host.stop()
    }
}
