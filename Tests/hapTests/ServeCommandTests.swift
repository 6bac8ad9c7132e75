import Foundation
import HAPCore
import TestSupport
import Testing

/// `hap serve` from its start to its end.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServeCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func onlyTheBannerShowsTheSetupCode() async throws {
        let (process, ready) = try await HapCommand.serving(in: folder, "--setup-code", "101-48-005")
        let outcome = try await process.terminate()
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.filter { $0.contains("101-48-005") || $0.contains("10148005") } == ["Setup code  101-48-005"])
        #expect(lines.contains("Setup URI   \(ready.setupURI)"))
        #expect(lines.contains("Listening   127.0.0.1, port \(ready.port)"))
        #expect(lines.contains { $0.hasPrefix("Network: not advertised (--advertise off);") })
        #expect(lines.last?.hasSuffix("  Stopping.") == true)
    }

    @Test func logGoesToStandardErrorWithoutTheSetupCode() async throws {
        let (process, ready) = try await HapCommand.serving(
            in: folder,
            "--setup-code",
            "101-48-005",
            "--log-level",
            "trace"
        )
        let outcome = try await HapCommand.run("doctor", "127.0.0.1:\(ready.port)")
        #expect(outcome.output.contains("✓ ok       HTTP: It answers"), "\(outcome)")
        let served = try await process.terminate()
        let line = try #require(served.errors.split(separator: "\n").first { $0.contains("Request received") })
        let pattern =
            /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}  trace: Request received connection=\d+ method=get path=\/\S+ server="Kilgo Garage"/
        #expect(line.wholeMatch(of: pattern) != nil, "\(line)")
        #expect(served.errors.contains("debug: Connection opened connection="))
        #expect(!served.errors.contains("101-48-005"))
        let refused = try await HapCommand.serve(in: folder, "--log-level", "loud")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("- trace\n  - debug"), "\(refused)")
    }

    @Test func codeIdentityAndPortPersistUntilChanged() async throws {
        let (first, before) = try await HapCommand.serving(in: folder)
        #expect(try await first.terminate().status == 0)
        let (second, after) = try await HapCommand.serving(in: folder)
        #expect(try await second.terminate().status == 0)
        #expect(after == before)
        let (third, changed) = try await HapCommand.serving(in: folder, "--setup-code", "101-48-005")
        #expect(try await third.terminate().status == 0)
        #expect(changed.setupCode == "101-48-005")
        #expect(changed.deviceID == before.deviceID)
        #expect(changed.port == before.port)
        let (fourth, stored) = try await HapCommand.serving(in: folder)
        #expect(try await fourth.terminate().status == 0)
        #expect(stored == changed)
    }

    @Test func staleReadyFileIsRemovedWhenListeningFails() async throws {
        let (process, ready) = try await HapCommand.serving(in: folder)
        let other = try TemporaryFolder()
        _ = try other.write("{\"servers\":[]}", to: "ready")
        let outcome = try await HapCommand.serve(in: other, "--port", "\(ready.port)", "--ready-file", other("ready"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Another program listens on 127.0.0.1 port \(ready.port)."))
        #expect(outcome.withoutProgress.isOneSentence, "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: other("ready")))
        #expect(try await process.terminate().status == 0)
    }

    @Test func secondServerOnTheSameStateNamesTheFirst() async throws {
        let (process, _) = try await HapCommand.serving(in: folder)
        let outcome = try await HapCommand.serve(
            in: folder,
            "--setup-code",
            "101-48-005",
            "--ready-file",
            folder("ready")
        )
        #expect(outcome.status == 1)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("in use by process \(ProcessInfo.processInfo.processIdentifier)."))
        #expect(!outcome.errors.contains("101-48-005"))
        #expect(FileManager.default.fileExists(atPath: folder("ready")))
        #expect(try await process.terminate().status == 0)
    }

    @Test func unwritableReadyFileEndsTheServer() async throws {
        let outcome = try await HapCommand.serve(in: folder, "--ready-file", folder("missing/ready"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("hap: The ready file \"\(folder("missing/ready"))\" cannot be written;"))
        // Nothing was started before.
        #expect(outcome.output.isEmpty && !FileManager.default.fileExists(atPath: folder("state")))
    }

    @Test func readyFileDoesNotReplaceAnotherFile() async throws {
        let text = "accessory: Lamp\nservices: [{ type: Lightbulb }]\n"
        let lamp = try folder.write(text, to: "lamp.yaml")
        for arguments in [
            ["run", "--ready-file", lamp, lamp], ["serve", "--ready-file", lamp, "--state", folder("state")],
        ] {
            let outcome = try await HapCommand(arguments).outcome()
            #expect(outcome.status != 0)
            #expect(try String(contentsOfFile: lamp, encoding: .utf8) == text)
        }
        let outcome = try await HapCommand.serve(in: folder, "--ready-file", lamp)
        #expect(outcome.errors == "hap: \(lamp) is another file, which the ready file would replace; name a new one.\n")
    }

    @Test func readyFileDoesNotReplaceAPipe() async throws {
        let pipe = folder("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let outcome = try await HapCommand.serve(in: folder, "--ready-file", pipe)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "hap: \(pipe) is not a file: name a file as the ready file.\n")
        #expect(unlink(pipe) == 0)
    }

    @Test(arguments: ["192.0.2.1", "no such host.invalid"])
    func addressOfAnotherMachineIsRefused(address: String) async throws {
        let outcome = try await HapCommand.serve(in: folder, "--bind", address)
        #expect(outcome.status == 1)
        #expect(outcome.withoutProgress.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains(address))
    }

    @Test func damagedStateIsUnchanged() async throws {
        var generator = SystemRandomNumberGenerator()
        let noise = Data((0..<5_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        try FileManager.default.createDirectory(atPath: folder("state"), withIntermediateDirectories: true)
        try noise.write(to: URL(fileURLWithPath: folder("state/hap.sqlite")))
        for arguments in [["serve", "--advertise", "off", "--bind", "127.0.0.1"], ["reset", "--yes"]] {
            let outcome = try await HapCommand(arguments + ["--state", folder("state")]).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.isOneSentence, "\(outcome)")
            #expect(outcome.errors.contains("is damaged"))
            #expect(FileManager.default.contents(atPath: folder("state/hap.sqlite")) == noise)
        }
    }

    @Test func fileIsNoStateLocation() async throws {
        let path = try folder.write("a file", to: "state")
        for arguments in [["serve", "--advertise", "off", "--bind", "127.0.0.1"], ["reset", "--yes"]] {
            let outcome = try await HapCommand(arguments + ["--state", path]).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.isOneSentence, "\(outcome)")
            #expect(outcome.errors.contains("is not a folder"))
        }
        #expect(FileManager.default.contents(atPath: path) == Data("a file".utf8))
    }
}
