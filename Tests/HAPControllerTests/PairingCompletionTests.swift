import AccessoryModel
import ControllerTestSupport
import HAPCore
import Synchronization
import TestSupport
import Testing

@testable import HAPController

@Suite("Pairing, once the accessory may have stored it")
struct PairingCompletionTests {
    /// Returns a script of an unpaired accessory that performs an action between a pair-setup message and its response.
    private func script(at message: UInt8, _ perform: @escaping @Sendable (HTTPResponse) -> [ScriptStep]) -> Script {
        var script = Script()
        script.respond = { request, response in
            request.endpoint == .pairSetup && PairingMessages.value(.state, of: request.body) == [message]
                ? perform(response) : [.message(response.bytes)]
        }
        return script
    }

    private func open(_ store: InMemoryControllerStore) async throws -> Controller {
        try await Controller.open(store: store, configuration: .quick, resolver: nil)
    }

    /// A task that a script can cancel.
    private final class TaskToCancel: Sendable {
        private let task = Mutex<Task<PairedAccessory, any Error>?>(nil)

        func set(_ new: Task<PairedAccessory, any Error>) { task.withLock { $0 = new } }
        func cancel() { task.withLock { $0?.cancel() } }
    }

    @Test("A task that is cancelled before the last message stores nothing", arguments: [1, 3] as [UInt8])
    func taskCancelledBeforeTheLastMessageStoresNothing(_ message: UInt8) async throws {
        let target = TaskToCancel()
        let script = script(at: message) { response in
            target.cancel()
            return [.message(response.bytes)]
        }
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore(identity: Fixture.controller)
            let controller = try await open(store)
            let gate = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in gate.stream { break }
                return try await controller.pair(accessory.target, with: .code(Fixture.setupCode), as: "Lamp")
            }
            target.set(task)
            gate.continuation.yield()
            await #expect(throws: ControllerError.self) { try await task.value }
            #expect(!accessory.journal.requests.contains { PairingMessages.value(.state, of: $0.body) == [5] })
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("A task that is cancelled after the last message still stores the pairing")
    func taskCancelledAfterTheLastMessageStoresThePairing() async throws {
        let target = TaskToCancel()
        let script = script(at: 5) { response in
            target.cancel()
            return [.message(response.bytes)]
        }
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore(identity: Fixture.controller)
            let controller = try await open(store)
            let gate = AsyncStream.makeStream(of: Void.self)
            let progress = Mutex<[PairingProgress]>([])
            let task = Task {
                for await _ in gate.stream { break }
                return try await controller.pair(accessory.target, with: .code(Fixture.setupCode), as: "Lamp") { step in
                    progress.withLock { $0.append(step) }
                }
            }
            target.set(task)
            gate.continuation.yield()
            let error = await #expect(throws: ControllerError.self) { try await task.value }
            #expect(error?.reason.contains("is paired as Lamp") == true)
            let stored = try await store.pairings()
            #expect(stored.map(\.pairing) == [Fixture.accessoryPairing])
            #expect(progress.withLock { $0.contains(.saved(alias: "Lamp")) })
            await controller.close()
        }
    }

    @Test("A lost last response is reported with a remedy", arguments: [false, true])
    func lostLastResponseReportsARemedy(isForged: Bool) async throws {
        var script = script(at: 5) { response in isForged ? [.message(response.bytes)] : [.close] }
        script.forgesM6 = isForged
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore(identity: Fixture.controller)
            let controller = try await open(store)
            let error = await #expect(throws: ControllerError.self) {
                try await controller.pair(accessory.target, with: .code(Fixture.setupCode), as: "Lamp")
            }
            #expect(
                error?.reason.contains("may now be paired with this controller") == true,
                "\(String(describing: error))"
            )
            #expect(error?.remedy.contains("reset it") == true)
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("If the accessory refuses the last message, only the refusal is reported")
    func refusedLastMessageReportsOnlyTheRefusal() async throws {
        let refusing = script(at: 5) { _ in
            [.message(HTTPResponse.pairing(PairingMessages.message((.state, [6]), (.error, [4]))).bytes)]
        }
        try await ScriptedAccessory.serve(refusing) { accessory in
            let controller = try await open(InMemoryControllerStore(identity: Fixture.controller))
            let error = await #expect(throws: ControllerError.self) {
                try await controller.pair(accessory.target, with: .code(Fixture.setupCode))
            }
            #expect(error?.code == .maxPeers)
            #expect(error?.reason.contains("may be paired") == false)
        }
    }

    @Test("If another process takes the suggested name in the meantime, the next one is used")
    func nameTakenMeanwhileIsNumbered() async throws {
        try await ScriptedAccessory.serve(Script()) { accessory in
            let other = AccessoryPairing(identifier: [1], publicKey: Fixture.controller.publicKey)
            let store = InMemoryControllerStore(identity: Fixture.controller)
            await store.insertConcurrently(StoredPairing(alias: "porch", pairing: try #require(other)))
            let endpoint = AccessoryEndpoint(host: "127.0.0.1", port: accessory.port, name: "Porch")
            let finder = FixedFinder(endpoints: [endpoint])
            let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
            let paired = try await controller.pair(
                .device(Fixture.accessory.deviceID),
                with: .code(Fixture.setupCode)
            )
            #expect(paired.alias == "porch-2")
            #expect(accessory.journal.changes.isEmpty)
            await controller.close()
        }
    }

    @Test("If another process takes the requested name in the meantime, the pairing is removed")
    func requestedNameTakenMeanwhileUndoesThePairing() async throws {
        try await ScriptedAccessory.serve(Script()) { accessory in
            let other = AccessoryPairing(identifier: [1], publicKey: Fixture.controller.publicKey)
            let store = InMemoryControllerStore(identity: Fixture.controller)
            await store.insertConcurrently(StoredPairing(alias: "Lamp", pairing: try #require(other)))
            let controller = try await open(store)
            await expect(.aliasTaken) {
                _ = try await controller.pair(accessory.target, with: .code(Fixture.setupCode), as: "Lamp")
            }
            #expect(accessory.journal.changes == [.removeAll])
        }
    }

    @Test("If the connection is lost, the pairing is removed over another one")
    func pairingIsUndoneOverAnotherConnection() async throws {
        let isLost = OnceFlag()
        var script = Script()
        script.respond = { request, response in
            request.endpoint == .pairVerify && isLost.claim() ? [.close] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore(identity: Fixture.controller)
            await store.failPairings(with: StoreError(.unavailable, reason: "The disk is full.", remedy: "Make room."))
            let controller = try await open(store)
            let error = await #expect(throws: ControllerError.self) {
                try await controller.pair(accessory.target, with: .code(Fixture.setupCode), as: "Lamp")
            }
            #expect(error?.code == .store(.unavailable))
            #expect(error?.reason.contains("was removed from the accessory again") == true)
            #expect(accessory.journal.changes == [.removeAll])
        }
    }

    @Test("If the pairing cannot be removed, the error says that the accessory must be reset")
    func pairingThatCannotBeUndoneReportsTheReset() async throws {
        var script = Script()
        script.respond = { request, response in
            request.endpoint == .pairVerify ? [.close] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore(identity: Fixture.controller)
            await store.failPairings(with: StoreError(.unavailable, reason: "The disk is full.", remedy: "Make room."))
            let controller = try await open(store)
            let error = await #expect(throws: ControllerError.self) {
                try await controller.pair(accessory.target, with: .code(Fixture.setupCode), as: "Lamp")
            }
            #expect(error?.reason.contains("reset it before") == true)
        }
    }

    @Test(
        "A link-local address is not stored",
        arguments: ["fe80::1%1", "fe80::1", "169.254.1.2"]
    )
    func linkLocalAddressIsNotStored(_ host: String) async throws {
        let endpoint = AccessoryEndpoint(host: host, port: 1, name: "Porch")
        let wish = PairingRequest(target: .matchingPayload, deviceID: nil, alias: nil, code: Fixture.setupCode)
        let stored = wish.storedPairing(Fixture.accessoryPairing, at: endpoint, besides: [])
        #expect(stored.host == nil && stored.port == nil)
        let typed = PairingRequest(
            target: .address(host: host, port: 1),
            deviceID: nil,
            alias: nil,
            code: Fixture.setupCode
        )
        #expect(typed.storedPairing(Fixture.accessoryPairing, at: endpoint, besides: []).host == host)
        let former = StoredPairing(alias: "x", pairing: Fixture.accessoryPairing, host: "192.0.2.1", port: 2)
        #expect(wish.storedPairing(Fixture.accessoryPairing, at: endpoint, besides: [former]) == former)
    }
}
