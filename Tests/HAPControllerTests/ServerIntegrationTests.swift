import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import HAPServer
import TestSupport
import Testing

@Suite("A controller with our own accessory server")
struct ServerIntegrationTests {
    @Test("A pairing is stored with the endpoint of the accessory")
    func pairingIsStoredWithItsEndpoint() async throws {
        try await LampFixture.run { lamp in
            let accessory = try await lamp.pair()
            #expect(accessory.pairing == Fixture.accessoryPairing)
            let stored = try await lamp.controller.pairings()
            #expect(stored.map(\.alias) == [Lamp.key])
            #expect(stored.first?.host == "127.0.0.1")
            #expect(stored.first?.port == lamp.port)
            #expect(
                try await lamp.serverStore.pairings().pairings.map(\.identifier) == [
                    lamp.controller.identity.identifier
                ]
            )
        }
    }

    @Test("Reads return typed values and statuses in the order of the request")
    func readsReturnTypedValuesInRequestOrder() async throws {
        try await LampFixture.run { lamp in
            let accessory = try await lamp.pair()
            let unknown = try #require(CharacteristicID(7, 7))
            let ids = [try await lamp.id(.brightness), unknown, try await lamp.id(.on), try await lamp.id(Lamp.data)]
            let results = try await accessory.read(ids + ids)
            #expect(results.map(\.id) == ids + ids)
            #expect(results.prefix(4).map(\.value) == [50, nil, false, .data([1, 2, 3])])
            #expect(results.prefix(4).map(\.status) == [.success, .doesNotExist, .success, .success])
        }
    }

    @Test("A read that is too large for one request is split")
    func largeReadsAreSplit() async throws {
        try await LampFixture.run { lamp in
            let accessory = try await lamp.pair()
            let unknown = (1...2_000).compactMap { CharacteristicID(1_000_000_000 + $0, 9) }
            let on = try await lamp.id(.on)
            let results = try await accessory.read(unknown + [on])
            #expect(results.count == 2_001)
            #expect(results.last?.value == false)
            #expect(results.first?.status == .doesNotExist)
        }
    }

    @Test("Writes are timed and return responses where the characteristic requires it")
    func writesAreTimedAndReturnResponsesWhereRequired() async throws {
        try await LampFixture.run { lamp in
            let accessory = try await lamp.pair()
            let (on, timed) = (try await lamp.id(.on), try await lamp.id(Lamp.timed))
            let answering = try await lamp.id(Lamp.writeResponse)
            #expect(try await accessory.write([CharacteristicWrite(on, true)]).map(\.code) == [0])
            let results = try await accessory.write([
                CharacteristicWrite(timed, 7), CharacteristicWrite(answering, 8, wantsResponse: true),
            ])
            #expect(results.map(\.code) == [0, 0])
            #expect(results.last?.value == 8)
            #expect(try await accessory.read([on, timed]).map(\.value) == [true, 7])
            let refused = try await accessory.write([CharacteristicWrite(timed, 101), CharacteristicWrite(on, false)])
            #expect(refused.map(\.status) == [.invalidValue, .success])
        }
    }

    @Test("A write that is too large for one request is split")
    func largeWritesAreSplit() async throws {
        try await LampFixture.run { lamp in
            let accessory = try await lamp.pair()
            let unknown = (1...600).compactMap { CharacteristicID(1_000_000_000 + $0, 9) }
            let on = try await lamp.id(.on)
            let results = try await accessory.write((unknown + [on]).map { CharacteristicWrite($0, true) })
            #expect(results.map(\.status) == Array(repeating: .doesNotExist, count: 600) + [.success])
        }
    }

    @Test("Concurrent timed writes each use their own pid")
    func concurrentTimedWritesKeepTheirOwnPID() async throws {
        try await LampFixture.run { lamp in
            let accessory = try await lamp.pair()
            let timed = try await lamp.id(Lamp.timed)
            let codes = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for value in 1...20 {
                    group.addTask {
                        try await accessory.write([CharacteristicWrite(timed, .integer(value))]).first?.code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: 0, count: 20))
        }
    }

    @Test("A watch reports current values, then changes, including those during a lost session")
    func watchReportsValuesChangesAndMissedChanges() async throws {
        try await LampFixture.run { lamp in
            let accessory = try await lamp.pair()
            let (on, brightness) = (try await lamp.id(.on), try await lamp.id(.brightness))
            var changes = await accessory.changes(of: [on, brightness]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, false))
            #expect(try await changes.next() == .value(brightness, 50))

            #expect(await lamp.server.set(true, for: on))
            #expect(try await changes.next() == .value(on, true))

            await lamp.server.stop()
            guard case .disconnected(let error) = try await changes.next() else {
                Issue.record("the loss of the session was not reported")
                return
            }
            #expect(error.code == .connectionLost)
            let again = try await LampFixture.start(on: lamp.serverStore, port: lamp.port)
            #expect(await again.set(20, for: brightness))
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(brightness, 20))
            await again.stop()
        }
    }

    @Test("A watch continues in a session that another caller opened")
    func watchContinuesInASessionOpenedByAnotherCaller() async throws {
        var configuration = ControllerConfiguration.quick
        configuration.firstReconnectDelay = .seconds(3_600)
        configuration.longestReconnectDelay = .seconds(3_600)
        try await LampFixture.run(configuration: configuration) { lamp in
            let accessory = try await lamp.pair()
            let on = try await lamp.id(.on)
            var changes = await accessory.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, false))
            await lamp.server.stop()
            guard case .disconnected = try await changes.next() else {
                Issue.record("the loss of the session was not reported")
                return
            }
            let again = try await LampFixture.start(on: lamp.serverStore, port: lamp.port)
            #expect(try await accessory.read([on]).map(\.value) == [false])
            #expect(try await changes.next() == .connected)
            #expect(await again.set(true, for: on))
            #expect(try await changes.next() == .value(on, true))
            await again.stop()
        }
    }

    @Test("A controller identifies the accessory, lists, adds and removes pairings, and unpairs")
    func pairingsAreListedAddedAndRemoved() async throws {
        try await LampFixture.run { lamp in
            try await Controller.identifyUnpaired(host: "127.0.0.1", port: lamp.port)
            let accessory = try await lamp.pair()
            try await accessory.identify()
            await #expect { try await Controller.identifyUnpaired(host: "127.0.0.1", port: lamp.port) } throws: {
                ($0 as? ControllerError)?.code == .alreadyPaired
            }
            let guest = Fixture.pairing(number: 7, isAdmin: false)
            try await accessory.add(guest)
            #expect(try await accessory.pairings().count == 2)
            #expect(try await accessory.pairings().contains(guest))
            try await accessory.remove(guest.identifier)
            #expect(try await accessory.pairings().map(\.identifier) == [lamp.controller.identity.identifier])
            try await accessory.unpair()
            #expect(try await lamp.serverStore.pairings().pairings.isEmpty)
            #expect(try await lamp.controller.pairings().isEmpty)
            await #expect { try await lamp.controller.accessory(Lamp.key) } throws: {
                ($0 as? ControllerError)?.code == .unknownAccessory
            }
        }
    }

    @Test("Wrong setup codes are counted, and the same controller can then pair with the right one")
    func wrongSetupCodesAreCounted() async throws {
        try await LampFixture.run { lamp in
            let wrong = SetupInput.code(Fixture.setupCode("999-88-777"))
            for tries in ["1 try", "2 tries"] {
                await #expect { try await lamp.controller.pair(lamp.target, with: wrong, as: "x") } throws: {
                    let error = $0 as? ControllerError
                    return error?.code == .wrongCode && error?.reason.contains("(\(tries) so far)") == true
                }
            }
            // This controller stands for another process of the same user.
            let other = try await Controller.open(store: lamp.store, configuration: .quick, resolver: nil)
            await #expect { try await other.pair(lamp.target, with: wrong) } throws: {
                ($0 as? ControllerError)?.reason.contains("(3 tries so far)") == true
            }
            let paired = try await lamp.pair()
            #expect(try await lamp.controller.pairings().count == 1)
            await #expect { try await lamp.pair() } throws: {
                let error = $0 as? ControllerError
                return error?.code == .alreadyPaired && error?.reason.contains("its alias here is") == true
            }
            try await paired.unpair()
            await #expect { try await lamp.controller.pair(lamp.target, with: wrong) } throws: {
                ($0 as? ControllerError)?.reason.contains("(1 try so far)") == true
            }
        }
    }

    @Test("A pairing that cannot be stored is removed from the accessory")
    func pairingThatCannotBeStoredIsRemoved() async throws {
        try await LampFixture.run { lamp in
            let full = StoreError(.unavailable, reason: "The disk is full.", remedy: "Make room.")
            await lamp.store.failPairings(with: full)
            await #expect { try await lamp.pair() } throws: {
                let error = $0 as? ControllerError
                return error?.code == .store(.unavailable)
                    && error?.reason.contains("removed from the accessory") == true
            }
            let left = try await lamp.serverStore.pairings()
            #expect(left.pairings.isEmpty)
        }
    }
}
