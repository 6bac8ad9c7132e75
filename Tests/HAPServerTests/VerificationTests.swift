import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Pair-verify with a running server, and a whole conversation.
///
/// HAP: §7
@Suite struct VerificationTests {
    @Test func anUnknownControllerIsRefusedAndMayTryAgain() async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            await #expect(throws: PairingFailure.refused(.authentication)) {
                try await controller.verify(as: TestServer.guest)
            }
            try await controller.verify()
            #expect(try await controller.value(of: try await server.lamp) == 0)
        }
    }

    @Test func aControllerWithAnotherKeyIsRefused() async throws {
        try await TestServer.run { server in
            let impostor = ControllerIdentity.random(identifier: Fixture.controller.identifier)
            let controller = try await server.connect()
            await #expect(throws: PairingFailure.refused(.authentication)) {
                try await controller.verify(as: impostor)
            }
            #expect(try await controller.request(HTTPRequest(.get, .accessories)).status == 470)
        }
    }

    @Test func unpairedAccessoryRefusesVerification() async throws {
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect()
            await #expect(throws: PairingFailure.refused(.authentication)) {
                try await controller.verify()
            }
        }
    }

    @Test func newM1DiscardsThePreviousOne() async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            let key = X25519KeyPair.random().publicKey
            let message = PairingMessages.message((.state, [1]), (.publicKey, key))
            let response = try await controller.exchange(message, at: .pairVerify)
            #expect(PairingMessages.value(.state, of: response) == [2])
            try await controller.verify()
            #expect(try await controller.value(of: try await server.lamp) == 0)
        }
    }

    @Test func conversationSentByteByByteSucceeds() async throws {
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect(bytewise: true)
            #expect(try await controller.request(HTTPRequest(.get, .accessories)).status == 470)
            let pairing = try await controller.pair()
            try await controller.verify(of: pairing)
            let (lamp, timed) = (try await server.lamp, try await server.id(TestAccessory.timed))
            #expect(try await controller.request(HTTPRequest(.get, .accessories)).status == 200)
            try await controller.subscribe(to: lamp)
            #expect(try await controller.prepare(pid: 1, ttl: 3_600_000).status == 200)
            #expect(try await controller.put(9, to: timed, pid: 1).status == 204)
            #expect(try await controller.get([lamp, timed]).values == [lamp: 0, timed: 9])
            #expect(await server.server.set(true, for: lamp))
            #expect(try await controller.eventValues() == [lamp: 1])
            #expect(
                try await controller.managePairings(PairingMessages.remove(Fixture.controller.identifier))
                    == nil
            )
            #expect(try await controller.messagesUntilClosed() == [])
        }
    }
}
