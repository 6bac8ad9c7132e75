import Foundation
import HAPController
import HAPCore
import TestSupport
import Testing

/// `hap doctor` as people run it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DoctorCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func pairedAccessoryIsInspectedInASession() async throws {
        let (process, ready) = try await HapCommand.serving(in: folder)
        let mine = folder("mine")
        let controller = try await Controller.open(state: mine)
        let code = try #require(SetupCode(ready.setupCode))
        _ = try await controller.pair(
            .address(host: "127.0.0.1", port: UInt16(clamping: ready.port)),
            with: .code(code),
            as: "garage"
        )
        await controller.close()
        for target in ["127.0.0.1:\(ready.port)", "garage", ready.deviceID] {
            let outcome = try await HapCommand.run("doctor", target, "--state", mine)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.contains("✓ ok       Session: This machine is paired with it as 'garage'"))
            #expect(
                outcome.output.contains(
                    "✓ ok       Pairings: It is paired with 1 controller: '\(controller.identity.identifier)' (this machine, admin)."
                )
            )
            #expect(outcome.output.contains(" ms (the median of 10)."))
        }
        let report = try await HapCommand.run("doctor", "garage", "--state", mine, "--json")
        let diagnostics = try #require(try JSONValue(parsing: Array(report.output.utf8)).object?["checks"]?.array)
        let measured = diagnostics.compactMap { $0.object?["microseconds"]?.object?.members.map(\.key) }
        #expect(measured.filter { !$0.isEmpty } == [["answering"], ["connecting", "reading", "verifying"]])
        let stranger = try await HapCommand.run("doctor", "127.0.0.1:\(ready.port)", "--state", folder("state"))
        #expect(!stranger.output.contains("Session:"))
        let unknown = try await HapCommand.run("doctor", "shed", "--state", mine)
        // The name is looked for on the network, where no daemon answers.
        #expect(unknown.status == 69)
        #expect(unknown.isOneSentence)
        #expect(unknown.errors.hasSuffix("write HOST:PORT in place of the name. Paired are: garage.\n"), "\(unknown)")
        #expect(try await process.terminate().status == 0)

        // Another server takes its place, with the same name, address and port.
        let (impostor, _) = try await HapCommand.serving(in: try TemporaryFolder(), "--port", "\(ready.port)")
        let outcome = try await HapCommand.run("doctor", "garage", "--state", mine)
        #expect(!outcome.output.contains("Session:"), "it is another device: \(outcome)")
        #expect(outcome.output.contains("✗ problem  Identity: It is not the accessory paired as 'garage'"))
        #expect(outcome.status == 1)
        #expect(try await impostor.terminate().status == 0)
    }

    @Test func everyConfigurationErrorHasARemedy() async throws {
        let file = try folder.write("port: x\nbogus: 1\n", to: "hap.yaml")
        let outcome = try await HapCommand.run("doctor", "--state", folder("state"), "--config", file)
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count > 4)
        let problem = "\(file):1:7: port: \"x\" is not a number; write a whole number from 0 to 65535."
        #expect(lines[0] == "✗ problem  Configuration: \(problem)")
        #expect(lines[2].hasPrefix("✗ problem  Configuration: \(file):2:1: bogus: unknown key; "))
        for remedy in [lines[1], lines[3]] {
            #expect(remedy == "           → Correct the file; 'hap validate \(file)' checks it.")
        }
    }

    @Test func takenPortIsReportedWithItsOwner() async throws {
        let listener = try StubListener(response: [])
        let file = try folder.write("port: \(listener.port)", to: "hap.yaml")
        let outcome = try await HapCommand.run("doctor", "--state", folder("state"), "--config", file)
        #expect(outcome.output.contains("✗ problem  Port \(listener.port): It belongs to the configuration file"))
        #expect(outcome.output.contains("process \(ProcessInfo.processInfo.processIdentifier)"))
    }

    @Test(
        arguments: [
            (nil, 1, "closes the connection without an answer"), ([], 69, "sends no answer"),
            (Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8), 1, "is not HTTP"),
            (Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8), 1, "without a session"),
            (Array("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".utf8), 1, "status 404"),
            (Array("HTTP/1.1 404 \u{1B}[31mNo\r\nContent-Length: 0\r\n\r\n".utf8), 1, "is not HTTP"),
            (Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n".utf8), 1, "is not HTTP"),
            (Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".utf8), 69, "sends no answer"),
            ([UInt8](repeating: 0xFF, count: 100_000), 1, "is not HTTP"),
            ([UInt8](repeating: 0x41, count: 100_000), 1, "is not HTTP"),
        ] as [([UInt8]?, Int32, String)]
    )
    func otherServiceIsReportedByItsResponse(reply: [UInt8]?, status: Int32, sentence: String) async throws {
        let listener = try StubListener(response: reply)
        let outcome = try await HapCommand.run("doctor", "127.0.0.1:\(listener.port)")
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.output.contains(sentence), "\(outcome)")
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errors == "")
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:0", "::1:5"])
    func invalidTargetIsAUsageError(target: String) async throws {
        let outcome = try await HapCommand.run("doctor", target)
        #expect(outcome.status == 64)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("HOST:PORT"))
    }

    @Test func damagedStateIsReportedAndUnchanged() async throws {
        try FileManager.default.createDirectory(atPath: folder("state"), withIntermediateDirectories: true)
        _ = try folder.write(String(repeating: "noise", count: 1_000), to: "state/hap.sqlite")
        let outcome = try await HapCommand.run("doctor", "--state", folder("state"))
        #expect(outcome.output.contains("✗ problem  State: The state database"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("state")) == ["hap.sqlite"])
    }
}
