import Foundation
import TestSupport
import Testing

/// `hap reset`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ResetCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func serveOnce() async throws -> ReadyServer {
        let (process, ready) = try await HapCommand.serving(in: folder)
        #expect(try await process.terminate().status == 0)
        return ready
    }

    @Test func nextStartAfterAResetIsAnotherDevice() async throws {
        let before = try await serveOnce()
        let outcome = try await HapCommand.run("reset", "--yes", "--state", folder("state"))
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Kilgo Garage"))
        #expect(outcome.errors == "")
        let after = try await serveOnce()
        #expect(after.deviceID != before.deviceID)
    }

    @Test func resetOfPairingsKeepsTheDevice() async throws {
        let before = try await serveOnce()
        let outcome = try await HapCommand.run("reset", "--pairings", "--yes", "--state", folder("state"))
        #expect(outcome.status == 0)
        #expect(outcome.output == "The pairings of Kilgo Garage were removed.\n")
        #expect(try await serveOnce() == before)
    }

    @Test(arguments: [["--yes"], []])
    func servedStateIsNotReset(options: [String]) async throws {
        let (process, _) = try await HapCommand.serving(in: folder)
        let outcome = try await HapCommand(["reset", "--state", folder("state")] + options).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("process \(ProcessInfo.processInfo.processIdentifier)"))
        #expect(try await process.terminate().status == 0)
    }

    @Test(arguments: [[], ["--pairings"]])
    func missingTerminalMeansNo(options: [String]) async throws {
        let before = try await serveOnce()
        let outcome = try await HapCommand(["reset", "--state", folder("state")] + options).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("--yes"))
        #expect(try await serveOnce() == before)
    }

    @Test(arguments: [["--yes"], ["--pairings", "--yes"], []])
    func folderWithoutDatabaseIsUnchanged(options: [String]) async throws {
        try FileManager.default.createDirectory(atPath: folder("state"), withIntermediateDirectories: true)
        _ = try folder.write("a letter", to: "state/letter")
        let outcome = try await HapCommand(["reset", "--state", folder("state")] + options).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("There is no state in \(folder("state"));"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("state")) == ["letter"])
    }

    @Test func missingStateCannotBeReset() async throws {
        let outcome = try await HapCommand.run("reset", "--yes", "--state", folder("state"))
        #expect(outcome.status == 1)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: folder("state")))
    }
}
