import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Every callback may call the server.
@Suite struct ReentranceTests {
    @Test(.timeLimit(.minutes(5)))
    func everyCallbackMayCallTheServer() async throws {
        let observed = ReentrantStub()
        try await Self.runEverything(observed)
        // The loop below only tests callbacks that occurred, so all of these must occur.
        let expected: Set = [
            "event connectionOpened", "event connectionClosed", "event sessionVerified", "event requestReceived",
            "event responseSent", "event protocolViolation", "event valueChanged", "event identifyRequested",
            "event characteristicUsed", "event characteristicNotified", "event eventSent", "event eventCoalesced",
            "event handlerFailed", "event handlerSlow", "event handlerTimedOut", "event pairingAdded",
            "event pairingRemoved", "event pairSetupStarted", "event pairSetupRefused", "event pairVerifyRefused",
            "event advertiserChanged", "event storeWritten", "event storeFailed", "event configurationChanged",
            "event writeRefused", "event faultInjected", "fault injection accept", "fault injection request",
            "fault injection characteristicAccess",
            "fault injection response", "fault injection notification", "fault injection eventMessage",
            "fault injection announcement",
            "advertiser update", "handler cancelled",
        ]
        #expect(expected.subtracting(observed.calls) == [])
        for call in observed.calls.sorted() {
            for act in ReentrantStub.Action.allCases {
                let meddler = ReentrantStub((call, act))
                try await Self.runEverything(meddler)
                #expect(meddler.actionCount == 1, "\(act) at \(call)")
            }
        }
    }

    private static func key(_ type: CharacteristicType) -> CharacteristicKey {
        CharacteristicKey(accessory: TestAccessory.key, service: ServiceKey(TestAccessory.service), type: type)
    }

    /// Makes a server call all of its callbacks.
    ///
    /// Errors are ignored, because the stub's actions cause them.
    private static func runEverything(_ meddler: ReentrantStub) async throws {
        let store = InMemoryStore.withIdentity(PairingTable(pairings: [Fixture.pairing, TestServer.guestPairing]))
        let handlers = [
            key(TestAccessory.second): CharacteristicHandler(onRead: { throw TestFailure("broken") }),
            key(TestAccessory.data): CharacteristicHandler(onRead: {
                await withTaskCancellationHandler {
                    // Waits: until it is canceled, which the test does.
                    try? await Task.sleep(for: .seconds(600))
                } onCancel: {
                    meddler.recordCall("handler cancelled")
                }
                return .data([])
            }),
        ]
        let server = try await AccessoryServer.start(
            .testing.with(\.handlerLimits.warningDelay, .milliseconds(1))
                .with(\.handlerLimits.timeout, .milliseconds(2)),
            accessories: [TestAccessory.accessory()],
            ports: ServerPorts(
                store: store,
                advertiser: meddler,
                observer: meddler,
                faultInjection: meddler,
                handlers: handlers
            )
        )
        meddler.attach(to: server)
        let bench = TestServer(server: server, store: store, journal: Journal())
        await runUnverifiedRequests(bench)
        await runControllerRequests(bench)
        try? await server.replaceAccessories(with: [TestAccessory.accessory(hasLamp: false)])
        await server.forgetPairings()
        await server.stop()
        // Waits until the actions of the last callbacks have ended, too.
        await server.run()
        meddler.attach(to: nil)
    }

    private static func runUnverifiedRequests(_ bench: TestServer) async {
        _ = try? await bench.connect().startPairing()
        _ = try? await bench.connect().verify(as: .random(identifier: Fixture.identifier("unknown")))
        if let rude = try? await bench.connect() {
            try? await rude.send(Array("BREAK THE PROTOCOL\r\n\r\n".utf8))
            _ = try? await rude.messagesUntilClosed()
        }
    }

    private static func runControllerRequests(_ bench: TestServer) async {
        guard let writer = try? await bench.session(), let reader = try? await bench.session(),
            let first = try? await bench.id(TestAccessory.first),
            let broken = try? await bench.id(TestAccessory.second),
            let hanging = try? await bench.id(TestAccessory.data),
            let identify = try? await bench.id(.identify, of: .accessoryInformation)
        else { return }
        try? await reader.subscribe(to: first)
        if (try? await writer.put(2, to: first)) != nil {
            _ = try? await reader.eventValues()
        }
        _ = try? await writer.put(3, to: first)
        _ = try? await writer.put(-1, to: first)
        _ = try? await writer.put(true, to: identify)
        _ = try? await writer.get([broken, hanging])
        _ = try? await writer.managePairings(PairingMessages.add(TestServer.guestPairing))
        _ = try? await writer.managePairings(PairingMessages.remove(TestServer.guest.identifier))
        await bench.store.fail(with: .full)
        _ = try? await writer.managePairings(PairingMessages.add(TestServer.guestPairing))
        await bench.store.fail(with: nil)
        _ = try? await writer.managePairings(PairingMessages.add(TestServer.guestPairing))
    }
}
