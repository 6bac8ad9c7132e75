import HAPCore
import TestSupport
import Testing

@testable import HAPServer

/// The key pair that the server prepares before pair-setup.
struct KeyPreparationTests {
    @Test func preparedKeyPairIsUsedOnce() async throws {
        try await TestServer.run(pairings: []) { server in
            let first = try await Self.preparedKey(server)
            let controller = try await server.connect()
            #expect(try await controller.startPairing() == nil)
            #expect(await server.server.pairSetupState.serverKey.key == nil)
            try await controller.close()
            let second = try await Self.preparedKey(server)
            #expect(first !== second)
        }
    }

    @Test func pairedAccessoryPreparesNoKey() async throws {
        try await TestServer.run(pairings: []) { server in
            _ = try await Self.preparedKey(server)
            let controller = try await server.connect()
            let pairing = try await controller.pair()
            #expect(await server.server.pairSetupState.serverKey.key == nil)
            #expect(await server.server.pairSetupState.serverKey.verifierPowers == nil)
            try await controller.verify(of: pairing)
            let message = PairingMessages.remove(Fixture.controller.identifier)
            _ = try await controller.request(HTTPRequest(.post, .pairings, body: message))
            _ = try await Self.preparedKey(server)
        }
    }

    private static func preparedKey(_ server: TestServer) async throws -> SRPServerKey {
        try await eventually("a key pair is prepared") { await server.server.pairSetupState.serverKey.key != nil }
        return try #require(await server.server.pairSetupState.serverKey.key)
    }
}
