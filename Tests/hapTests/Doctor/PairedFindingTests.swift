import HAPController
import HAPCore
import Testing

@testable import hap

/// What is made of a look from inside.
struct PairedFindingTests {
    @Test func whoIsPairedAndHowFastItIs() throws {
        let guest = try pairing("guest", isAdmin: false)
        var session = PairedReport.Session(connecting: .microseconds(420), verifying: .milliseconds(12))
        session.reading = .microseconds(1_250)
        session.pairings = [try pairing("me"), guest]
        let look = try look(.success(session))
        #expect(
            look.findings.map(\.sentence) == [
                "This machine is paired with it as 'garage', and it knows us.",
                "It knows 2: 'me' (us, admin), 'guest'.",
                "Connecting takes 0.4 ms, pair-verify 12.0 ms, and a read 1.3 ms (the median of 10).",
            ]
        )
        #expect(look.findings.allSatisfy { $0.state == .ok })
        #expect(look.findings.last?.microseconds == ["connecting": 420, "verifying": 12_000, "reading": 1_250])
    }

    @Test func whatIsSlowOrNotToldIsANote() throws {
        var session = PairedReport.Session(connecting: .seconds(1), verifying: .milliseconds(200))
        #expect(try look(.success(session)).findings.map(\.state) == [.ok, .note, .ok])
        session.reading = .milliseconds(900)
        #expect(try look(.success(session)).findings.map(\.state) == [.ok, .note, .note])
    }

    @Test func aSessionThatFailsIsAProblemWithItsRemedy() throws {
        let error = ControllerError(.refused(.authentication), reason: "It does not know us.", remedy: "Pair again.")
        let findings = try look(.failure(error)).findings
        #expect(findings.map(\.state) == [.problem])
        #expect(findings.first?.remedy == "Pair again.")
    }

    @Test func whoAnswersAsSomebodyElseIsAnImpostorAndAProblem() throws {
        let error = ControllerError(.wrongAccessory, reason: "Another accessory answers.", remedy: "Look there.")
        let findings = try look(.failure(error)).findings
        #expect(findings.map(\.subject) == ["Identity"])
        #expect(findings.map(\.state) == [.problem])
        #expect(
            findings.first?.sentence
                == "It is not 'garage', with which this machine is paired: Another accessory answers."
        )
        #expect(DoctorReport(target: "garage", findings: findings).status == 1)
    }

    private func look(_ session: Result<PairedReport.Session, ControllerError>) throws -> PairedReport {
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
