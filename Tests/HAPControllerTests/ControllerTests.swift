import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("The accessories of a controller")
struct ControllerTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)

    /// Runs a test with a controller that has a session with the accessory "Lamp" and has also stored the accessory
    /// "Fan".
    private func run(body: (ScriptedAccessory, Controller, PairedAccessory) async throws -> Void) async throws {
        try await ScriptedAccessory.serve(Script()) { accessory in
            let key = Fixture.accessoryPairing.publicKey
            let fan = try #require(AccessoryPairing(identifier: Array("11:22:33:44:55:66".utf8), publicKey: key))
            let store = InMemoryControllerStore(
                identity: Fixture.controller,
                pairings: [accessory.storedPairing, StoredPairing(alias: "Fan", pairing: fan)]
            )
            let controller = try await Controller.open(store: store, configuration: .quick, resolver: nil)
            do {
                let paired = try await controller.accessory("Lamp")
                #expect(try await paired.read([on]).map(\.value) == [true])
                try await body(accessory, controller, paired)
            } catch {
                await controller.close()
                throw error
            }
            await controller.close()
        }
    }

    @Test("A renamed accessory is found only by its new name, and gets a new session")
    func renamedAccessoryIsFoundOnlyByItsNewName() async throws {
        try await run { accessory, controller, paired in
            try await controller.rename("Lamp", to: "Porch")
            await expect(.closed) { _ = try await paired.read([on]) }
            await expect(.unknownAccessory) { _ = try await controller.accessory("Lamp") }
            let again = try await controller.accessory("Porch")
            #expect(try await again.read([on]).map(\.value) == [true])
            #expect(accessory.journal.sessionCount == 2)
        }
    }

    @Test("An accessory is not renamed to a name that is taken")
    func takenNameDoesNotRenameTheAccessory() async throws {
        try await run { _, controller, paired in
            await expect(.aliasTaken) { try await controller.rename("Lamp", to: "Fan") }
            let again = try await controller.accessory("Lamp")
            #expect(again === paired)
            #expect(try await controller.pairings().map(\.alias) == ["Lamp", "Fan"])
        }
    }

    @Test("A forgotten accessory is no longer found, and its session and watches end")
    func forgottenAccessoryIsClosedAndNotFound() async throws {
        try await run { accessory, controller, paired in
            var changes = await paired.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            try await controller.forget("Lamp")
            #expect(try await changes.next() == .value(on, true))
            #expect(try await changes.next() == nil)
            await expect(.closed) { _ = try await paired.read([on]) }
            await expect(.unknownAccessory) { _ = try await controller.accessory("Lamp") }
            #expect(try await controller.pairings().map(\.alias) == ["Fan"])
            #expect(accessory.journal.changes.isEmpty)
        }
    }

    @Test("Concurrent callers share one accessory object, until the controller is closed")
    func concurrentCallersShareOneAccessoryObject() async throws {
        try await run { _, controller, paired in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await controller.accessory("Lamp") === paired }
                }
                for try await isSame in group {
                    #expect(isSame)
                }
            }
            await paired.close()
            #expect(try await controller.accessory("Lamp") !== paired)
            await controller.close()
            await expect(.closed) { _ = try await controller.accessory("Lamp") }
        }
    }
}
