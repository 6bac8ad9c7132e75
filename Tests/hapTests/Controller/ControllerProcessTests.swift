import Foundation
import TestSupport
import Testing

/// The signals of a command of the controller.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ControllerProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [SIGINT, SIGTERM]) func watchEndsCleanlyOnSignal(signal: Int32) async throws {
        let (process, ready) = try await HapCommand.serving(in: folder, "--setup-code", "101-48-005")
        let paired = try await hap("pair", "127.0.0.1:\(ready.port)", "--code", "101-48-005", "--as", "door")
        try #require(paired.status == 0, "\(paired)")
        let watch = try HapProcess(["watch", "door", "--state", folder("controller")])
        try await HapProcess.wait { watch.output.contains("Connected.") }
        #expect(try await hap("put", "door", "Brightness=12").status == 0)
        try await HapProcess.wait { watch.output.contains("/Brightness: 12 %\n") }
        let outcome = try await watch.terminate(with: signal)
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
        #expect(try await process.terminate().status == 0)
    }

    private func hap(_ arguments: String...) async throws -> HapOutcome {
        try await HapCommand(arguments + ["--state", folder("controller")]).outcome()
    }
}
