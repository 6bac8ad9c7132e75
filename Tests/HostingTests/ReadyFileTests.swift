import Foundation
import HAPCore
import TestSupport
import Testing

@testable import HAPServer
@testable import Hosting

@Suite struct ReadyFileTests {
    private let folder: TemporaryFolder
    private let file: ReadyFile

    init() throws {
        folder = try TemporaryFolder()
        let information = ServerInformation(
            name: "A \"garage\"\n",
            deviceID: try #require(DeviceID("AB:CD:EF:01:23:45")),
            port: 51_826,
            setupCode: try #require(SetupCode("101-48-005")),
            setupURI: "X-HM://0042O34BPA1B2",
            category: .garageDoorOpener,
            isPaired: true
        )
        file = ReadyFile(
            servers: [("kéy", information)],
            receivers: [("cast", "TV", DriverEndpoint(port: 8_009))],
            console: nil
        )
    }

    @Test func fileContainsEverything() throws {
        let server = try ReadyServer(Array(file.json.utf8))
        #expect(server.name == "A \"garage\"\n")
        #expect(server.key == "kéy")
        #expect(server.deviceID == "AB:CD:EF:01:23:45")
        #expect(server.port == 51_826)
        #expect(server.setupCode == "101-48-005")
        #expect(server.setupURI == "X-HM://0042O34BPA1B2")
        #expect(server.category == 4)
        #expect(server.isPaired)
    }

    @Test func olderFileIsReplacedAndNothingElseLeft() throws {
        let path = try folder.write("older and longer, and everyone may read it", to: "ready")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try file.write(to: path)
        #expect(FileManager.default.contents(atPath: path) == Data("\(file.json)\n".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ready"])
        ReadyFile.remove(path)
        ReadyFile.remove(path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func unwritablePathIsReportedAndUnchanged() throws {
        try FileManager.default.createDirectory(atPath: folder("taken"), withIntermediateDirectories: true)
        for path in [folder("missing/ready"), folder("taken")] {
            let failure = #expect(throws: HostError.self) { try file.write(to: path) }
            #expect(failure?.code == .failed)
            #expect(failure?.message.contains(path) == true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
    }
}
