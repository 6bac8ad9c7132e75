import HAPController
import HAPCore
import Testing

@testable import hap

/// The results of the checks within a session.
struct PairedReportTests {
    @Test func controllersAndSpeedAreReported() throws {
        let guest = try pairing("guest", isAdmin: false)
        var session = PairedReport.Session(connectDuration: .microseconds(420), verifyDuration: .milliseconds(12))
        session.readDuration = .microseconds(1_250)
        session.pairings = [try pairing("me"), guest]
        let look = try report(.success(session))
        #expect(
            look.results.map(\.sentence) == [
                "This machine is paired with it as 'garage', and the session works.",
                "It is paired with 2 controllers: 'me' (this machine, admin), 'guest'.",
                "Connecting takes 0.4 ms, pair-verify 12.0 ms, and a read 1.3 ms (the median of 10).",
            ]
        )
        #expect(look.results.allSatisfy { $0.state == .ok })
        #expect(look.results.last?.microseconds == ["connecting": 420, "verifying": 12_000, "reading": 1_250])
    }

    @Test func slowOrUnreportedDataIsANote() throws {
        var session = PairedReport.Session(connectDuration: .seconds(1), verifyDuration: .milliseconds(200))
        #expect(try report(.success(session)).results.map(\.state) == [.ok, .note, .ok])
        session.readDuration = .milliseconds(900)
        #expect(try report(.success(session)).results.map(\.state) == [.ok, .note, .note])
    }

    @Test func failedSessionIsAProblemWithARemedy() throws {
        let error = ControllerError(.refused(.authentication), reason: "It does not know us.", remedy: "Pair again.")
        let diagnostics = try report(.failure(error)).results
        #expect(diagnostics.map(\.state) == [.problem])
        #expect(diagnostics.first?.remedy == "Pair again.")
    }

    @Test func impostorIsAProblem() throws {
        let error = ControllerError(.wrongAccessory, reason: "Another accessory answers.", remedy: "Look there.")
        let diagnostics = try report(.failure(error)).results
        #expect(diagnostics.map(\.subject) == ["Identity"])
        #expect(diagnostics.map(\.state) == [.problem])
        #expect(
            diagnostics.first?.sentence
                == "It is not the accessory paired as 'garage': Another accessory answers."
        )
        #expect(DoctorReport(target: "garage", results: diagnostics).status == 1)
    }

    private func report(_ session: Result<PairedReport.Session, ControllerError>) throws -> PairedReport {
        PairedReport(
            alias: "garage",
            controller: try #require(ControllerIdentifier(Array("me".utf8))),
            session: session
        )
    }

    private func pairing(_ identifier: String, isAdmin: Bool = true) throws -> Pairing {
        Pairing(
            identifier: try #require(ControllerIdentifier(Array(identifier.utf8))),
            publicKey: Ed25519SigningKey.random().publicKey,
            isAdmin: isAdmin
        )
    }
}
