import TestSupport
import Testing

/// A folder with homes and pairings in it, and the commands that change them.
final class HomeCommandFixture: Sendable {
    static let code = "101-48-005"

    let folder: TemporaryFolder

    /// - Parameter file: A home file that is imported first.
    init(_ file: String? = nil) async throws {
        folder = try TemporaryFolder()
        guard let file else { return }
        let imported = try await self("import", try folder.write(file, to: "home.yaml"))
        #expect(imported.status == 0, "\(imported)")
    }

    /// The folder with the state.
    var state: String { folder("state") }

    /// Runs `hap home` with these arguments.
    @discardableResult
    func callAsFunction(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await HapCommand(["home"] + arguments + ["--state", state]).outcome()
    }

    /// Starts `hap home run`, and waits until it prints a text.
    func startRun<Run: HapInvocation>(until text: String, _ arguments: String...) async throws -> Run {
        let process = try Run(["home", "run"] + arguments + ["--state", state])
        try await Run.wait { process.output.contains(text) || !process.isRunning }
        return process
    }
}
