import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Pair-setup with a running server.
///
/// HAP: §6
@Suite struct PairingTests {
    private static let otherCode = Fixture.setupCode("111-22-333")

    @Test func aControllerPairsVerifiesAndReads() async throws {
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect()
            let pairing = try await controller.pair()
            #expect(pairing == Fixture.accessoryPairing)
            #expect(try await server.storedPairings == [Fixture.pairing])
            try await controller.verify(of: pairing)
            #expect(try await controller.value(of: try await server.lamp) == 0)
            #expect(await server.server.information.isPaired)
        }
    }

    @Test func theStatusFlagChangesOnlyAfterM6HasLeft() async throws {
        let responses = Counter()
        let faultInjection = ScriptedFaultInjection { point in
            point.isResponse && responses.next() == 3 ? .delay(.seconds(3_600)) : .proceed
        }
        try await TestServer.run(pairings: [], faultInjection: faultInjection) { server in
            let (controller, other) = (try await server.connect(), try await server.connect())
            let journal = server.journal
            async let pairing = controller.pair()
            try await server.server.waitForDelayedResponse()
            // M6 is delayed; this response shows that the server has continued in the meantime.
            #expect(try await other.request(HTTPRequest(.post, .identify)).status == 400)
            #expect(!journal.entries.contains { $0.statusFlag == "0" })
            #expect(journal.entries.contains(.stored(.put(Fixture.pairing))))
            await server.server.releaseDelayedResponses()
            _ = try await pairing
            try await journal.waitForEntry { $0.statusFlag == "0" }
            #expect(journal.entries.compactMap(\.statusFlag) == ["1", "0"])
        }
    }

    @Test func aWrongCodeIsCountedBeforeItIsRefused() async throws {
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect()
            await #expect(throws: PairingFailure.refused(.authentication)) {
                try await controller.pair(code: Self.otherCode)
            }
            #expect(try await server.store.pairings().failedProofs == 1)
            let journal = server.journal
            let stored = try #require(journal.position { $0 == .stored(.countFailedProof) })
            let refused = try #require(
                journal.position {
                    if case .event(.pairSetupRefused(_, .authentication, failedProofs: 1)) = $0 { true } else { false }
                }
            )
            let answered = try #require(
                journal.entries.lastIndex { if case .event(.responseSent) = $0 { true } else { false } }
            )
            #expect(stored < refused && refused < answered)
            // The correct code resets the count, on the same connection.
            _ = try await controller.pair()
            #expect(try await server.store.pairings().failedProofs == 0)
        }
    }

    @Test func hundredthFailureIsTheLastAttempt() async throws {
        let store = InMemoryStore.withIdentity(PairingTable(failedProofs: 99))
        try await TestServer.run(store: store) { server in
            let controller = try await server.connect()
            await #expect(throws: PairingFailure.refused(.authentication)) {
                try await controller.pair(code: Self.otherCode)
            }
            #expect(try await store.pairings().failedProofs == 100)
            #expect(try await controller.startPairing() == .maxTries)
            let other = try await server.connect()
            #expect(try await other.startPairing() == .maxTries)
        }
    }

    @Test func aSecondControllerIsRefusedWhileOneIsPairing() async throws {
        try await TestServer.run(pairings: []) { server in
            let (first, second) = (try await server.connect(), try await server.connect())
            #expect(try await first.startPairing() == nil)
            #expect(try await second.startPairing() == .busy)
            // The connection that is pairing may start again.
            #expect(try await first.startPairing() == nil)
            #expect(try await second.startPairing() == .busy)
            try await first.close()
            try await server.journal.waitForEvent { if case .connectionClosed = $0 { true } else { false } }
            _ = try await second.pair()
        }
    }

    @Test func failureReleasesTheSlot() async throws {
        try await TestServer.run(pairings: []) { server in
            let (first, second) = (try await server.connect(), try await server.connect())
            await #expect(throws: PairingFailure.refused(.authentication)) {
                try await first.pair(code: Self.otherCode)
            }
            _ = try await second.pair()
        }
    }

    @Test func aPairedAccessoryIsUnavailable() async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            #expect(try await controller.startPairing() == .unavailable)
        }
    }

    @Test func pairingThatCannotBeStoredFails() async throws {
        let failure = StoreError.full
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect()
            await #expect(throws: PairingFailure.refused(.unknown)) {
                try await controller.pair(beforeM5: { await server.store.fail(with: failure) })
            }
            await server.store.fail(with: nil)
            #expect(try await server.store.pairings() == PairingTable())
            #expect(await !server.server.information.isPaired)
            #expect(server.journal.events.contains(.storeFailed(failure)))
            #expect(!server.journal.entries.contains { $0.statusFlag == "0" })
            _ = try await controller.pair()
        }
    }

    @Test(arguments: [[], [0xFF, 1], [6, 1, 3], [6, 1, 9], [6, 0]] as [[UInt8]])
    func aMessageThatIsMalformedOrOutOfSequenceIsRefused(message: [UInt8]) async throws {
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect()
            for endpoint in [HAPEndpoint.pairSetup, .pairVerify] {
                let response = try await controller.request(HTTPRequest(.post, endpoint, body: message))
                #expect(response == HTTPMessage(.response, status: 400))
            }
            _ = try await controller.pair()
        }
    }
}
