import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HAPServer

/// Decisions about pairings while an earlier change is not on disk yet.
///
/// HAP: §6.3, §9
@Suite struct PairingOrderTests {
    private static let second = ControllerIdentity.random(identifier: Fixture.identifier("second"))
    private static let secondPairing = Pairing(
        identifier: second.identifier,
        publicKey: second.publicKey,
        isAdmin: true
    )
    private static let third = Fixture.pairing(number: 3, isAdmin: true)

    /// Sends two requests to `/pairings`, the second of which arrives while the change of the first is being stored.
    private func overlap(
        _ server: TestServer,
        _ first: (TestController, [UInt8]),
        _ second: (TestController, [UInt8])
    ) async throws {
        let isStoring = Gate()
        let mayStore = Gate()
        await server.store.delayChanges { _ in
            await isStoring.open()
            await mayStore.waitUntilOpen()
        }
        try await first.0.send(HTTPRequest(.post, .pairings, body: first.1))
        await isStoring.waitUntilOpen()
        let count = server.journal.events.count(where: Self.isPairingsRequest)
        try await second.0.send(HTTPRequest(.post, .pairings, body: second.1))
        try await server.journal.waitForEntry { _ in
            server.journal.events.count(where: Self.isPairingsRequest) > count
        }
        await mayStore.open()
    }

    private static func isPairingsRequest(_ event: ServerEvent) -> Bool {
        if case .requestReceived(_, .post, "/pairings") = event { true } else { false }
    }

    @Test func controllerBeingRemovedAddsNoPairing() async throws {
        try await TestServer.run(pairings: [Fixture.pairing, Self.secondPairing]) { server in
            let (admin, removed) = (try await server.session(), try await server.session(of: Self.second))
            try await overlap(
                server,
                (admin, PairingMessages.remove(Self.second.identifier)),
                (removed, PairingMessages.add(Self.third))
            )
            #expect(PairingMessages.error(of: try await admin.response().body) == nil)
            #expect(try await removed.messagesUntilClosed() == [])
            #expect(try await server.storedPairings == [Fixture.pairing])
        }
    }

    @Test func firstOfTwoMutualRemovalsWins() async throws {
        try await TestServer.run(pairings: [Fixture.pairing, Self.secondPairing]) { server in
            let (faster, slower) = (try await server.session(), try await server.session(of: Self.second))
            try await overlap(
                server,
                (faster, PairingMessages.remove(Self.second.identifier)),
                (slower, PairingMessages.remove(Fixture.controller.identifier))
            )
            #expect(PairingMessages.error(of: try await faster.response().body) == nil)
            #expect(try await slower.messagesUntilClosed() == [])
            #expect(try await server.storedPairings == [Fixture.pairing])
            #expect(await server.server.information.isPaired)
        }
    }

    @Test func acknowledgedPairingSurvivesALaterRemoval() async throws {
        try await TestServer.run { server in
            let (adding, leaving) = (try await server.session(), try await server.session())
            try await overlap(
                server,
                (adding, PairingMessages.add(Self.third)),
                (leaving, PairingMessages.remove(Fixture.controller.identifier))
            )
            #expect(PairingMessages.error(of: try await leaving.response().body) == nil)
            #expect(try await server.storedPairings == [Self.third])
        }
    }

    @Test func failingStoreGrantsNoAttemptAndRestartRestoresNone() async throws {
        let store = InMemoryStore.withIdentity(PairingTable(failedProofs: 98))
        let wrong = Fixture.setupCode("111-22-333")
        try await TestServer.run(store: store) { server in
            let controller = try await server.connect()
            await store.fail(with: .full)
            // Codes are not checked: the responses are the same.
            for code in [wrong, Fixture.setupCode, wrong] {
                await #expect(throws: PairingFailure.refused(.unknown)) { try await controller.pair(code: code) }
            }
            #expect(server.journal.events.count { $0 == .storeFailed(.full) } == 3)
            await store.fail(with: nil)
            await #expect(throws: PairingFailure.refused(.authentication)) { try await controller.pair(code: wrong) }
            #expect(try await store.pairings().failedProofs == 99)
        }
        try await TestServer.run(store: store) { server in
            let controller = try await server.connect()
            await #expect(throws: PairingFailure.refused(.authentication)) { try await controller.pair(code: wrong) }
            #expect(try await controller.startPairing() == .maxTries)
        }
    }
}
