import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// How pairings are managed, and what that does to sessions.
///
/// HAP: §9
@Suite struct PairingsTests {
    private static let both = [Fixture.pairing, TestServer.guestPairing]
    private static let removeGuest = PairingMessages.remove(TestServer.guest.identifier)
    private static let removeAdmin = PairingMessages.remove(Fixture.controller.identifier)

    @Test func serverForgetsOnePairingAndClosesOnlyItsSessions() async throws {
        try await TestServer.run(pairings: [Fixture.pairing, TestServer.guestPairing]) { server in
            let (admin, guest) = (try await server.session(), try await server.session(of: TestServer.guest))
            await server.server.forgetPairings(of: TestServer.guest.identifier)
            #expect(try await server.storedPairings == [Fixture.pairing])
            #expect(try await guest.messagesUntilClosed() == [])
            #expect(try await admin.managePairings(PairingMessages.list) == nil)
        }
    }

    @Test func serverThatForgetsItsLastAdminForgetsAll() async throws {
        try await TestServer.run(pairings: [Fixture.pairing, TestServer.guestPairing]) { server in
            await server.server.forgetPairings(of: Fixture.pairing.identifier)
            let stored = try await server.storedPairings
            #expect(stored == [])
        }
    }

    @Test func anAdminListsAddsAndRemoves() async throws {
        try await TestServer.run { server in
            let admin = try await server.session()
            #expect(try await admin.managePairings(PairingMessages.add(TestServer.guestPairing)) == nil)
            let list = try await admin.exchange(PairingMessages.list, at: .pairings)
            #expect(try PairingMessages.pairings(in: list) == Self.both)
            #expect(try await server.storedPairings == Self.both)
            let guest = try await server.session(of: TestServer.guest)
            #expect(try await admin.managePairings(Self.removeGuest) == nil)
            #expect(try await guest.messagesUntilClosed() == [])
            #expect(try await server.storedPairings == [Fixture.pairing])
            #expect(try await admin.managePairings(Self.removeGuest) == nil)
        }
    }

    @Test func messageThatIsTooLargeIsRefusedAtOnce() async throws {
        try await TestServer.run { server in
            let admin = try await server.session()
            for (size, status) in [(16 << 10, 400), (16 << 10 + 1, 400)] {
                let large = HTTPRequest(.post, .pairings, body: [UInt8](repeating: 0xFF, count: size))
                #expect(try await admin.request(large).status == status)
            }
            let errors = server.journal.events
                .compactMap { if case .protocolViolation(_, let error) = $0 { error.code } else { nil } }
            #expect(errors == [.tlv, .tooLarge])
        }
    }

    @Test func guestCannotManagePairings() async throws {
        try await TestServer.run(pairings: Self.both) { server in
            let guest = try await server.session(of: TestServer.guest)
            let third = Fixture.pairing(number: 3, isAdmin: true)
            for message in [PairingMessages.list, PairingMessages.add(third), Self.removeAdmin] {
                #expect(try await guest.managePairings(message) == .authentication)
            }
            #expect(try await server.storedPairings == Self.both)
        }
    }

    @Test func removedControllersOtherSessionsCloseAtOnceAndItsOwnAfterTheResponse() async throws {
        let second = Fixture.pairing(number: 2, isAdmin: true)
        try await TestServer.run(pairings: [Fixture.pairing, second]) { server in
            let (requester, other) = (try await server.session(), try await server.session())
            #expect(try await requester.managePairings(Self.removeAdmin) == nil)
            #expect(try await requester.messagesUntilClosed() == [])
            #expect(try await other.messagesUntilClosed() == [])
            #expect(try await server.storedPairings == [second])
            #expect(server.journal.entries.compactMap(\.statusFlag) == ["0"])
            func reasons() -> [CloseReason] {
                server.journal.events
                    .compactMap { if case .connectionClosed(_, let reason) = $0 { reason } else { nil } }
            }
            // A client may notice the end of its connection before the server has reported it.
            try await eventually("both connections have ended") { reasons().count == 2 }
            #expect(reasons() == [.pairingRemoved, .pairingRemoved])
        }
    }

    @Test func removingTheLastAdminRemovesAllPairingsAndSessions() async throws {
        try await TestServer.run(pairings: Self.both) { server in
            let (admin, guest) = (try await server.session(), try await server.session(of: TestServer.guest))
            let clear = try await server.connect()
            #expect(try await admin.managePairings(Self.removeAdmin) == nil)
            #expect(try await admin.messagesUntilClosed() == [])
            #expect(try await guest.messagesUntilClosed() == [])
            try await server.journal.waitForEntry { $0.statusFlag == "1" }
            #expect(server.journal.entries.compactMap(\.statusFlag) == ["0", "1"])
            #expect(try await server.storedPairings == [])
            // A connection without a session stays open, and may pair.
            _ = try await clear.pair()
        }
    }

    @Test func statusFlagIsSetOnlyAfterTheRemovalResponse() async throws {
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection) { server in
            let (admin, other) = (try await server.session(), try await server.connect())
            faultInjection.injectOnce(.delay(.seconds(3_600)), where: \.isResponse)
            async let error = admin.managePairings(Self.removeAdmin)
            try await server.server.waitForDelayedResponse()
            #expect(try await other.request(HTTPRequest(.post, .identify)).status == 204)
            #expect(server.journal.entries.compactMap(\.statusFlag) == ["0"])
            await server.server.releaseDelayedResponses()
            let response = try await error
            #expect(response == nil)
            try await server.journal.waitForEntry { $0.statusFlag == "1" }
        }
    }

    @Test func downgradingTheLastAdminEndsAllPairings() async throws {
        try await TestServer.run(pairings: Self.both) { server in
            let (admin, guest) = (try await server.session(), try await server.session(of: TestServer.guest))
            var downgraded = Fixture.pairing
            downgraded.isAdmin = false
            #expect(try await admin.managePairings(PairingMessages.add(downgraded)) == nil)
            #expect(try await admin.messagesUntilClosed() == [])
            #expect(try await guest.messagesUntilClosed() == [])
            #expect(try await server.storedPairings == [])
        }
    }

    @Test func aChangedPermissionTakesEffectInTheRunningSession() async throws {
        var promoted = TestServer.guestPairing
        promoted.isAdmin = true
        try await TestServer.run(pairings: [Fixture.pairing, promoted]) { server in
            let (admin, other) = (try await server.session(), try await server.session(of: TestServer.guest))
            let (secret, first) = (
                try await server.id(TestAccessory.adminOnly), try await server.id(TestAccessory.first)
            )
            try await other.subscribe(to: secret, first)
            #expect(try await other.put(2, to: secret).status == 204)
            #expect(try await admin.managePairings(PairingMessages.add(TestServer.guestPairing)) == nil)
            #expect(try await other.put(3, to: secret).statuses == [-70_401])
            #expect(try await other.managePairings(PairingMessages.list) == .authentication)
            // It no longer receives values that only admins may read.
            #expect(await server.server.set(4, for: secret))
            #expect(await server.server.set(4, for: first))
            #expect(try await other.eventValues() == [first: 4])
        }
    }

    @Test func pairingsAreAddedUpToTheCapacity() async throws {
        let guests = (0..<UInt8(PairingTable.capacity - 2)).map { Fixture.pairing(number: $0, isAdmin: false) }
        try await TestServer.run(pairings: [Fixture.pairing] + guests) { server in
            let admin = try await server.session()
            let last = Fixture.pairing(number: 200, isAdmin: false)
            let tooMany = Fixture.pairing(number: 201, isAdmin: false)
            #expect(try await admin.managePairings(PairingMessages.add(last)) == nil)
            #expect(try await admin.managePairings(PairingMessages.add(tooMany)) == .maxPeers)
            // The permissions of an existing pairing can still be changed.
            #expect(try await admin.managePairings(PairingMessages.add(last)) == nil)
            #expect(try await server.storedPairings.count == PairingTable.capacity)
        }
    }

    @Test func aKnownIdentifierWithAnotherKeyIsRefused() async throws {
        try await TestServer.run(pairings: Self.both) { server in
            let admin = try await server.session()
            let key = Fixture.pairing(number: 9, isAdmin: false).publicKey
            let impostor = Pairing(identifier: TestServer.guest.identifier, publicKey: key, isAdmin: true)
            #expect(try await admin.managePairings(PairingMessages.add(impostor)) == .unknown)
            #expect(try await server.storedPairings == Self.both)
        }
    }

    @Test func changeThatCannotBeStoredIsNotAcknowledged() async throws {
        try await TestServer.run(pairings: Self.both) { server in
            let (admin, guest) = (try await server.session(), try await server.session(of: TestServer.guest))
            await server.store.fail(with: .full)
            #expect(try await admin.managePairings(Self.removeGuest) == .unknown)
            await server.store.fail(with: nil)
            #expect(try await guest.value(of: try await server.lamp) == 0)
        }
    }
}
