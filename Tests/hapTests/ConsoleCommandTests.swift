import Foundation
import HAPCore
import TestSupport
import Testing
import WebConsole

@testable import hap

/// The commands that drive a running `hap serve`, and its sockets.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConsoleCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func hap(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await HapCommand([arguments[0], "--state", folder("state")] + arguments.dropFirst()).outcome()
    }

    private func mode(of file: String) throws -> UInt16? {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder("state/\(file)"))
        return (attributes[.posixPermissions] as? NSNumber)?.uint16Value
    }

    @Test func simulatedDoorIsOpenedObstructedAndMadeSlow() async throws {
        let (process, _) = try await HapCommand.serving(in: folder)
        let set = try await hap("simulate", "set", "Garage Door/Target Door State", "to", "Open")
        #expect(set.status == 0 && set.output == "Garage Door/Target Door State: Open\n", "\(set)")
        #expect(try await hap("simulate", "obstruct", "Garage", "Door").output == "Obstructed Garage Door.\n")
        let fault = try await hap("simulate", "fault", "latency", "on", "Garage", "Light", "delay=2s", "times", "3")
        #expect(fault.output == "Fault latency on Garage Light, 3 times.\n", "\(fault)")
        #expect(
            try await hap("simulate", "--json", "advance", "1min").output
                == "{\"message\":\"Time advanced by 1min.\"}\n"
        )
        let shown = try await hap("simulate", "show", "Garage", "Door")
        #expect(shown.output.contains("Garage Door/Obstruction Detected: true\n"), "\(shown)")
        let unknown = try await hap("simulate", "frobnicate")
        #expect(unknown.status == 64 && unknown.isOneSentence, "\(unknown)")
        let log = try await hap("log", "--kinds", "command")
        #expect(log.output.contains("Obstructed Garage Door.\n"), "\(log)")
        let events = try await hap("log", "--json", "--last", "1", "--kinds", "command")
        try #require(events.status == 0 && !events.output.isEmpty, "\(events)")
        let event = try JSONValue(parsing: Array(events.output.utf8)).object
        #expect(event?["kind"]?.string == "command", "\(events)")
        #expect(try await process.terminate().status == 0)
    }

    @Test func socketAndTokenBelongToTheUserAndTheSocketEndsWithTheServer() async throws {
        let (process, _) = try await HapCommand.serving(in: folder)
        #expect(try mode(of: "serve.sock") == 0o600)
        #expect(try mode(of: "console.token") == 0o600)
        let token = try String(contentsOfFile: folder("state/console.token"), encoding: .utf8)
        // The ready file can be there before the output has been written. It is stored, as in the journal of systemd.
        try await HapCommand.wait {
            process.output.contains("/ (the token is in \(folder("state/console.token")))\n")
        }
        #expect(!process.output.contains(token))
        #expect(try await process.terminate().status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder("state/serve.sock")))
        // The next server has the same token, so that links stay valid.
        let (next, _) = try await HapCommand.serving(in: folder)
        #expect(try String(contentsOfFile: folder("state/console.token"), encoding: .utf8) == token)
        #expect(try await next.terminate().status == 0)
    }

    @Test func tokenThatOthersCanReadIsReplaced() async throws {
        let (process, _) = try await HapCommand.serving(in: folder)
        let token = try String(contentsOfFile: folder("state/console.token"), encoding: .utf8)
        #expect(try await process.terminate().status == 0)
        chmod(folder("state/console.token"), 0o644)
        let (next, _) = try await HapCommand.serving(in: folder)
        #expect(try String(contentsOfFile: folder("state/console.token"), encoding: .utf8) != token)
        #expect(try mode(of: "console.token") == 0o600)
        #expect(try await next.terminate().status == 0)
    }

    @Test func pathThatIsTooLongWarnsAndTheServerRuns() async throws {
        let long = folder("state" + String(repeating: "/long", count: 20))
        let (process, _) = try await HapCommand.serving(["--state", long, "--console", "off"], in: folder)
        // The ready file can be there before the output has been read.
        try await HapCommand.wait { process.output.contains("Ready to be paired.") }
        try await HapCommand.wait {
            process.output.contains("Console: The path \(long)/serve.sock has more than 107 bytes")
        }
        #expect(try await process.terminate().status == 0)
    }

    @Test func addressInUseIsAnErrorOnlyIfItWasAskedFor() async throws {
        let (process, _) = try await HapCommand.serving(in: folder)
        // The ready file can be there before the output has been read.
        try await HapCommand.wait { process.output.contains("Console ") }
        let link = try #require(process.output.firstMatch(of: #/http://127.0.0.1:(\d+)/#))
        let other = try TemporaryFolder()
        let outcome = try await HapCommand(
            HapCommand.serveArguments(["--console", "127.0.0.1:\(link.1)"], in: other)
        )
        .outcome()
        #expect(outcome.status == 1 && outcome.errors.contains("The console cannot listen on 127.0.0.1 port \(link.1)"))
        // By default, the next free port is taken.
        let (next, _) = try await HapCommand.serving(in: other)
        try await HapCommand.wait { next.output.contains("Console ") }
        #expect(next.output.contains("http://127.0.0.1:"))
        #expect(!next.output.contains("http://127.0.0.1:\(link.1)/"))
        #expect(try await next.terminate().status == 0)
        #expect(try await process.terminate().status == 0)
    }

    @Test func runningServerRemovesItsPairings() async throws {
        let (process, ready) = try await HapCommand.serving(in: folder, "--setup-code", "101-48-005")
        let mine = try TemporaryFolder()
        let paired = try await HapCommand.run(
            "pair",
            "127.0.0.1:\(ready.port)",
            "10148005",
            "--as",
            "garage",
            "--state",
            mine("state")
        )
        #expect(paired.status == 0, "\(paired)")
        let reset = try await hap("reset", "--pairings", "--yes")
        #expect(reset.status == 0 && reset.output == "The pairings of Kilgo Garage were removed.\n", "\(reset)")
        try await HapCommand.wait { process.output.contains("is no longer paired.") }
        let again = try await HapCommand.run(
            "pair",
            "127.0.0.1:\(ready.port)",
            "10148005",
            "--as",
            "again",
            "--state",
            mine("other")
        )
        #expect(again.status == 0, "\(again)")
        #expect(try await process.terminate().status == 0)
    }

    @Test func traceIsPrintedAndRepeatedWithoutDifferences() async throws {
        let (process, ready) = try await HapCommand.serving(
            in: folder,
            "--setup-code",
            "101-48-005",
            "--trace",
            folder("trace")
        )
        let mine = try TemporaryFolder()
        let alias = ["--as", "garage", "--state", mine("state")]
        #expect(try await HapCommand(["pair", "127.0.0.1:\(ready.port)", "10148005"] + alias).outcome().status == 0)
        let put = ["put", "garage", "Brightness=40", "Lightbulb/On=on", "--state", mine("state")]
        #expect(try await HapCommand(put).outcome().status == 0)
        let get = ["get", "garage", "Brightness", "--state", mine("state")]
        #expect(try await HapCommand(get).outcome().status == 0)
        #expect(try await process.terminate().status == 0)

        let text = try String(contentsOfFile: folder("trace"), encoding: .utf8)
        let records = text.split(separator: "\n").compactMap { TraceRecord(line: $0) }
        #expect(records.count == text.split(separator: "\n").count)
        #expect(records.first?.kind == .trace)
        // Messages of pairing are counted, never shown.
        #expect(records.filter { $0.path == "/pair-setup" }.allSatisfy { $0.body == nil && $0.hiddenBytes != nil })
        let printed = try await HapCommand.run("trace", folder("trace"), "--kind", "request")
        #expect(printed.output.contains("→ PUT /characteristics"), "\(printed)")

        let (again, _) = try await HapCommand.serving(in: folder, "--port", "\(ready.port)")
        let sessions = TraceSession.all(in: records)
        for session in sessions where session.requestCount > 0 {
            let replay = try await HapCommand.run(
                "trace",
                folder("trace"),
                "--replay",
                "garage",
                "--session",
                "\(session.connection)",
                "--state",
                mine("state")
            )
            #expect(replay.status == 0 && replay.output.contains(" 0 differences,"), "\(replay)")
        }
        #expect(sessions.count >= 2)
        let choice = try await HapCommand.run("trace", folder("trace"), "--replay", "garage", "--state", mine("state"))
        #expect(choice.status == 64 && choice.errors.contains("choose one:"), "\(choice)")
        #expect(try await again.terminate().status == 0)
    }

    @Test func eventsArePrintedAsJSONAndCommandsAreReadFromStandardInput() async throws {
        let (process, _) = try await HapCommand.serving(in: folder, "--json")
        #expect(try await hap("simulate", "press", "Garage", "Door").status == 1)
        #expect(try await hap("simulate", "set", "Garage Door/Target Door State", "to", "Open").status == 0)
        try await HapCommand.wait { process.output.contains("\"valueText\":\"Opening\"") }
        #expect(try await process.terminate().status == 0)
        let lines = process.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("{\"servers\":[") == true)
        for line in lines { _ = try JSONValue(parsing: Array(line.utf8)) }
    }
}
