import HAPController
import HAPCore
import Testing

@testable import hap

/// What is made of a look from inside.
struct PairedFindingTests {
    @Test func whoIsPairedAndHowFastItIs() throws {
        let guest = try pairing("guest", isAdmin: false)
        var look = try look(.success(.init(opening: .milliseconds(12), reading: .microseconds(1_250), pairings: nil)))
        look.session = .success(
            .init(opening: .milliseconds(12), reading: .microseconds(1_250), pairings: [try pairing("me"), guest])
        )
        #expect(
            look.findings.map(\.sentence) == [
                "This machine is paired with it as 'garage', and it knows us.",
                "It knows 2: 'me' (us, admin), 'guest'.",
                "A session opens in 12.0 ms, and a read takes 1.3 ms (the median of 10).",
            ]
        )
        #expect(look.findings.allSatisfy { $0.state == .ok })
    }

    @Test func whatIsSlowOrNotToldIsANote() throws {
        let look = try look(.success(.init(opening: .seconds(1), reading: .milliseconds(900), pairings: nil)))
        #expect(look.findings.map(\.state) == [.ok, .note, .note])
    }

    @Test func aSessionThatFailsIsAProblemWithItsRemedy() throws {
        let error = ControllerError(.refused(.authentication), reason: "It does not know us.", remedy: "Pair again.")
        let findings = try look(.failure(error)).findings
        #expect(findings.map(\.state) == [.problem])
        #expect(findings.first?.remedy == "Pair again.")
    }

    private func look(_ session: Result<PairedLook.Session, ControllerError>) throws -> PairedLook {
        PairedLook(alias: "garage", controller: try #require(ControllerIdentifier(Array("me".utf8))), session: session)
    }

    private func pairing(_ identifier: String, isAdmin: Bool = true) throws -> Pairing {
        Pairing(
            identifier: try #require(ControllerIdentifier(Array(identifier.utf8))),
            publicKey: Ed25519SigningKey.random().publicKey,
            isAdmin: isAdmin
        )
    }
}
