import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// What a server calls may act on the server at once.
@Suite struct ReentranceTests {
    @Test(.timeLimit(.minutes(5)))
    func everyCallbackMayCloseConnectionsRemovePairingsSetValuesAndStop() async throws {
        let observed = Meddler()
        try await Self.runEverything(observed)
        // Without these the calls below would prove little.
        let expected: Set = [
            "fact connectionOpened", "fact connectionClosed", "fact sessionVerified", "fact requestReceived",
            "fact responseSent", "fact peerFault", "fact valueChanged", "fact identifyRequested",
            "fact characteristicUsed", "fact characteristicTold", "fact eventSent", "fact eventCoalesced",
            "fact handlerFailed", "fact handlerSlow", "fact handlerTimedOut", "fact pairingAdded",
            "fact pairingRemoved", "fact pairSetupStarted", "fact pairSetupRefused", "fact pairVerifyRefused",
            "fact advertiserChanged", "fact storeWritten", "fact storeFailed", "fact configurationChanged",
            "fact interfered", "interference accept", "interference request", "interference item",
            "interference response", "interference notice", "interference event", "interference announcement",
            "advertiser update", "handler cancelled",
        ]
        #expect(expected.subtracting(observed.calls) == [])
        for call in observed.calls.sorted() {
            for act in Meddler.Act.allCases {
                let meddler = Meddler((call, act))
                try await Self.runEverything(meddler)
                #expect(meddler.acts == 1, "\(act) at \(call)")
            }
        }
    }

    private static func key(_ type: CharacteristicType) -> CharacteristicKey {
        CharacteristicKey(accessory: Bench.key, service: ServiceKey(Bench.service), type: type)
    }

    /// Lets a server do everything that it calls something for; what fails, fails because of the meddler.
    private static func runEverything(_ meddler: Meddler) async throws {
        let store = InMemoryStore.identified(PairingTable(pairings: [Fixture.pairing, TestServer.guestPairing]))
        let handlers = [
            key(Bench.second): CharacteristicHandler(onRead: { throw TestFailure("broken") }),
            key(Bench.data): CharacteristicHandler(onRead: {
                await withTaskCancellationHandler {
                    try? await Task.sleep(for: .seconds(600))
                } onCancel: {
                    meddler.called("handler cancelled")
                }
                return .data([])
            }),
        ]
        let server = try await AccessoryServer.start(
            .bench.with(\.handlerLimits.patience, .milliseconds(1)).with(\.handlerLimits.timeout, .milliseconds(2)),
            accessories: [Bench.accessory()],
            ports: ServerPorts(
                store: store,
                advertiser: meddler,
                observer: meddler,
                interference: meddler,
                handlers: handlers
            )
        )
        meddler.meddle(with: server)
        let bench = TestServer(server: server, store: store, journal: Journal())
        await actAsStrangers(bench)
        await actAsControllers(bench)
        try? await server.replaceAccessories(with: [Bench.accessory(lampIsThere: false)])
        await server.forgetPairings()
        await server.stop()
        // What has acted from the last callbacks is done, too.
        await server.run()
        meddler.meddle(with: nil)
    }

    private static func actAsStrangers(_ bench: TestServer) async {
        _ = try? await bench.connect().startPairing()
        _ = try? await bench.connect().verify(as: .random(identifier: Fixture.identifier("nobody")))
        if let rude = try? await bench.connect() {
            try? await rude.send(Array("BREAK THE PROTOCOL\r\n\r\n".utf8))
            _ = try? await rude.messagesUntilClosed()
        }
    }

    private static func actAsControllers(_ bench: TestServer) async {
        guard let writer = try? await bench.session(), let reader = try? await bench.session(),
            let first = try? await bench.id(Bench.first), let broken = try? await bench.id(Bench.second),
            let hanging = try? await bench.id(Bench.data),
            let identify = try? await bench.id(.identify, of: .accessoryInformation)
        else { return }
        try? await reader.subscribe(to: first)
        if (try? await writer.put(2, to: first)) != nil {
            _ = try? await reader.eventValues()
        }
        _ = try? await writer.put(3, to: first)
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
