import Foundation
import TestSupport
import Testing
import WebConsole

@testable import hap

/// Running processes as commands find them: killed, stopped, in another folder, and ended while commands wait.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConsoleProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func socketOfAKilledServerIsReplaced() async throws {
        let (process, _) = try await HapProcess.serving(in: folder)
        kill(process.processID, SIGKILL)
        _ = try await process.outcome()
        #expect(FileManager.default.fileExists(atPath: folder("state/serve.sock")))
        let dead = try await hap("simulate", "pause")
        #expect(dead.status == 69 && dead.isOneSentence, "\(dead)")
        // It would look like that of the next server.
        try FileManager.default.removeItem(atPath: folder("ready"))
        let (next, _) = try await HapProcess.serving(in: folder)
        #expect(try await hap("simulate", "pause").output == "Time is paused.\n")
        #expect(try await next.terminate().status == 0)
    }

    @Test func stoppedProcessIsNotTakenForAbsent() async throws {
        let (process, _) = try await HapProcess.serving(in: folder)
        kill(process.processID, SIGSTOP)
        let state = RunningProcess(.serve, in: folder("state"))
        #expect(state.isRunning)
        let outcome = try await hap("simulate", "pause")
        #expect(outcome.status == 69 && outcome.errors.contains("does not answer"), "\(outcome)")
        kill(process.processID, SIGCONT)
        #expect(try await process.terminate().status == 0)
        #expect(!state.isRunning)
    }

    @Test func processWithARelativeStateFolderIsFound() async throws {
        let process = try HapProcess(
            [
                "serve", "--bind", "127.0.0.1", "--advertise", "off", "--state", "./relative-state", "--ready-file",
                folder("ready"),
            ]
        )
        try await HapProcess.wait { process.output.contains("console.token") }
        let state = try #require(process.output.firstMatch(of: #/the token is in (/.*)/console\.token/#)?.1)
        #expect(state.hasSuffix("/relative-state"))
        #expect(RunningProcess.running([.serve], in: nil).contains(RunningProcess(.serve, in: String(state))))
        #expect(try await process.terminate().status == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT], ["show", "advance 1000h"])
    func signalEndsTheProcessWhileCommandsWait(signal: Int32, command: String) async throws {
        // An endless sequence of commands waits in the pipe.
        let script = #"pipe=$1 command=$2; shift 2; mkfifo "$pipe"; yes "$command" > "$pipe" & exec "$@" < "$pipe""#
        let process = try HapProcess(
            HapProcess.serveArguments(["--commands", "-"], in: folder),
            wrapper: ["/bin/sh", "-c", script, "sh", folder("commands"), command]
        )
        try await HapProcess.wait { process.output.contains(command == "show" ? "Garage Light/On: " : "Time advanced") }
        let outcome = try await process.terminate(with: signal)
        #expect(outcome.status == 0, "\(outcome)")
    }

    private func hap(_ arguments: String...) async throws -> HapOutcome {
        try await HapCommand([arguments[0], "--state", folder("state")] + arguments.dropFirst()).outcome()
    }
}
