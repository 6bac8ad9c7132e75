import HAPCore
import TestSupport
import Testing

/// An accessory's public key that begins with a zero byte, which implementations hash differently.
struct PairSetupKeyTests {
    private static let odd = [UInt8](hex: Vectors.all.srp["B-leading-zero"].B)

    @Test func aNewKeyIsRequestedAndThePairingIsMade() {
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode)
        let first = controller.start()
        var action = controller.receive(Self.respond(Self.odd))
        #expect(action == first)
        let accessory = SetupDriver()
        for _ in 0..<6 {
            switch action {
            case .send(let message): action = controller.receive(accessory.send(message).message ?? [])
            case .compute(let computation): action = controller.didCompute(computation.run())
            case .finished, .failed: break
            }
        }
        #expect(action == .finished(Fixture.accessoryPairing))
    }

    @Test(arguments: [odd, [1]]) func aKeyWithALeadingZeroIsAcceptedTheFourthTime(_ key: [UInt8]) {
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode)
        let first = controller.start()
        for _ in 1..<PairSetupController.maximumKeyAttempts {
            #expect(controller.receive(Self.respond(key)) == first)
            #expect(controller.pendingMessageNumber == 1)
        }
        guard case .compute = controller.receive(Self.respond(key)) else {
            Issue.record("no computation")
            return
        }
        #expect(controller.pendingMessageNumber == nil)
    }

    /// Returns M2 with this public key.
    private static func respond(_ key: [UInt8]) -> [UInt8] {
        PairingMessages.message((.state, [2]), (.publicKey, key), (.salt, [UInt8](repeating: 1, count: 16)))
    }
}
