import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("Unpairing")
struct UnpairingTests {
    private func unpair(
        _ script: Script,
        body: (ScriptedAccessory, InMemoryControllerStore, PairedAccessory) async throws -> Void
    )
        async throws
    {
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [accessory.storedPairing])
            let controller = try await Controller.open(store: store, configuration: .quick, resolver: nil)
            try await body(accessory, store, try await controller.accessory("Lamp"))
            await controller.close()
        }
    }

    @Test("Unpairing is complete if the response is lost and the accessory refuses the next session")
    func lostResponseAndRefusedSessionCompleteUnpairing() async throws {
        let isFirst = OnceFlag()
        var script = Script()
        script.respond = { request, response in
            switch request.endpoint {
            case .pairings:
                return isFirst.claim() ? [.close] : [.message(response.bytes)]
            case .pairVerify where PairingMessages.value(.state, of: request.body) == [3] && !isFirst.isUnclaimed:
                return [.message(HTTPResponse.pairing(PairingMessages.message((.state, [4]), (.error, [2]))).bytes)]
            default:
                return [.message(response.bytes)]
            }
        }
        try await unpair(script) { accessory, store, paired in
            try await paired.unpair()
            #expect(accessory.journal.changes == [.removeAll])
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("Unpairing is complete if the response is lost and an accessory without pairings refuses in M2")
    func lostResponseAndUnauthenticatedRefusalCompleteUnpairing() async throws {
        let isFirst = OnceFlag()
        var script = Script()
        script.respond = { request, response in
            switch request.endpoint {
            case .pairings:
                return isFirst.claim() ? [.close] : [.message(response.bytes)]
            case .pairVerify where !isFirst.isUnclaimed:
                return [.message(HTTPResponse.pairing(PairingMessages.message((.state, [2]), (.error, [2]))).bytes)]
            default:
                return [.message(response.bytes)]
            }
        }
        try await unpair(script) { _, store, paired in
            try await paired.unpair()
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("An unauthenticated refusal before the request fails the unpairing")
    func unauthenticatedRefusalBeforeTheRequestFailsUnpairing() async throws {
        let script = Script.responding(to: .pairVerify) { _ in
            [.message(HTTPResponse.pairing(PairingMessages.message((.state, [2]), (.error, [2]))).bytes)]
        }
        try await unpair(script) { accessory, store, paired in
            await expect(.unproven(.authentication)) { try await paired.unpair() }
            let stored = try await store.pairings()
            #expect(stored == [accessory.storedPairing])
        }
    }

    @Test("If the response is lost and the accessory opens the next session, the request is repeated")
    func lostResponseRetriesTheRemoval() async throws {
        let isFirst = OnceFlag()
        let script = Script.responding(to: .pairings) { isFirst.claim() ? [.close] : [.message($0.bytes)] }
        try await unpair(script) { accessory, store, paired in
            try await paired.unpair()
            #expect(accessory.journal.changes == [.removeAll, .removeAll])
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("A controller that the accessory no longer knows is unpaired")
    func unknownControllerIsUnpaired() async throws {
        var script = Script()
        script.pairings = []
        try await unpair(script) { _, store, paired in
            try await paired.unpair()
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("A controller that is not an admin is refused with a remedy, and keeps its pairing")
    func nonAdminIsRefusedAndKeepsThePairing() async throws {
        var script = Script()
        let guest = Pairing(
            identifier: Fixture.controller.identifier,
            publicKey: Fixture.controller.publicKey,
            isAdmin: false
        )
        script.pairings = [Fixture.pairing(number: 9, isAdmin: true), guest]
        try await unpair(script) { accessory, store, paired in
            let error = await #expect(throws: ControllerError.self) { try await paired.unpair() }
            #expect(error?.code == .refused(.authentication))
            #expect(error?.reason.contains("admin") == true)
            let stored = try await store.pairings()
            #expect(stored == [accessory.storedPairing])
        }
    }

    @Test("A response of another device at the accessory's endpoint does not complete unpairing")
    func impostorDoesNotCompleteUnpairing() async throws {
        var script = Script()
        script.identity = .random(deviceID: Fixture.accessory.deviceID)
        try await unpair(script) { accessory, store, paired in
            await expect(.wrongAccessory) { try await paired.unpair() }
            let stored = try await store.pairings()
            #expect(stored == [accessory.storedPairing])
        }
    }
}
