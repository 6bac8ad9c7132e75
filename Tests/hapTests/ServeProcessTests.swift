import Foundation
import HAPCore
import TestSupport
import Testing

/// The process of `hap serve`: its signals, its output, its user and its limits.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServeProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func serverReportsReadinessAndEndsCleanly(signal: Int32) async throws {
        let (process, ready) = try await HapProcess.serving(in: folder, "--setup-code", "101-48-005")
        #expect(ready.name == "Kilgo Garage")
        #expect(ready.key == "Kilgo Garage")
        #expect(DeviceID(ready.deviceID) != nil)
        #expect(1...65_535 ~= ready.port)
        #expect(ready.setupCode == "101-48-005")
        #expect(ready.setupURI.hasPrefix("X-HM://"))
        #expect(ready.category == 4)
        #expect(!ready.isPaired)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder("ready"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["ready", "state"])
        let outcome = try await process.terminate(with: signal)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(!FileManager.default.fileExists(atPath: folder("ready")))
    }

    @Test func serverEndsAlthoughItsOutputIsNotRead() async throws {
        let pipe = try FullPipe()
        let (process, _) = try await HapProcess.serving(in: folder, output: pipe.writeEnd)
        let outcome = try await process.terminate()
        #expect(outcome.status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder("ready")))
        // The store was closed, so its log was merged into the database.
        #expect(!FileManager.default.fileExists(atPath: folder("state/hap.sqlite-wal")))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
    func unprivilegedUserCanServe() async throws {
        let process = try HapProcess(
            HapProcess.serveArguments(["--ready-file", folder("ready")], in: folder),
            wrapper: getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
        )
        try await HapProcess.wait { FileManager.default.fileExists(atPath: folder("ready")) }
        let ready = try ReadyServer(Array(FileManager.default.contents(atPath: folder("ready")) ?? Data()))
        let outcome = try await HapProcess.run("doctor", "127.0.0.1:\(ready.port)")
        #expect(outcome.output.contains("✓ ok       HTTP: It answers"), "\(outcome)")
        #expect(try await process.terminate().status == 0)
    }

    @Test func openFileLimitIsRaisedToTheHardLimit() async throws {
        let (process, _) = try await HapProcess.serving(in: folder)
        let path = "/proc/\(process.processID)/limits"
        let limits = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        let values = line.split(separator: " ").dropFirst(3)
        #expect(values.first == values.dropFirst().first)
        #expect(try await process.terminate().status == 0)
    }
}
