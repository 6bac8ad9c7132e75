import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("A session with a device that is not the expected accessory")
struct PairVerifyErrorTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)

    @Test("A changed long-term key is refused, and the pairing does not change")
    func changedLongTermKeyIsRefusedAndKeepsThePairing() async throws {
        var script = Script()
        script.identity = .random(deviceID: Fixture.accessory.deviceID)
        try await ScriptedAccessory.run(script) { accessory, paired in
            await expect(.wrongAccessory) { _ = try await paired.read([on]) }
            #expect(accessory.journal.requests.map(\.endpoint) == [.pairVerify])
        }
    }

    @Test("Another device ID is refused")
    func otherDeviceIDIsRefused() async throws {
        var script = Script()
        script.identity = .random()
        try await ScriptedAccessory.run(script) { _, paired in
            await expect(.wrongAccessory) { _ = try await paired.read([on]) }
        }
    }

    @Test("It is reported if the accessory no longer knows the controller")
    func unknownControllerIsRefused() async throws {
        var script = Script()
        script.pairings = []
        try await ScriptedAccessory.run(script) { _, paired in
            await expect(.refused(.authentication)) { _ = try await paired.read([on]) }
        }
    }

    @Test("The error for a malformed M2 names the protocol layer")
    func malformedM2NamesTheProtocolLayer() async throws {
        let script = Script.responding(to: .pairVerify) { response in
            var body = response.body
            body[body.count - 1] ^= 1
            return [.message(HTTPResponse.pairing(body).bytes)]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            await expectMalformed(.authentication) { _ = try await paired.read([on]) }
        }
    }

    @Test("A missing response times out", arguments: [1, 3] as [UInt8])
    func missingResponseTimesOut(_ silentMessage: UInt8) async throws {
        var script = Script()
        script.respond = { request, response in
            request.endpoint == .pairVerify && PairingMessages.value(.state, of: request.body) == [silentMessage]
                ? [] : [.message(response.bytes)]
        }
        var configuration = ControllerConfiguration.quick
        // If M4 is missing, M2 must still arrive within this time.
        configuration.pairVerifyTime = silentMessage == 1 ? .milliseconds(100) : .seconds(2)
        try await ScriptedAccessory.run(script, configuration: configuration) { _, paired in
            await expect(.timedOut) { _ = try await paired.read([on]) }
        }
    }

    @Test(
        "A moved accessory is found by its announcement if another device has its old address",
        arguments: [
            nil, [.message(HTTPResponse(.notFound).bytes)], [.message(Array("SSH-2.0-x\r\n\r\n".utf8))], [.close],
            [.message(HTTPResponse.pairing([0x06, 1, 2, 0x07, 1, 2]).bytes)],
            [.message(HTTPResponse.pairing([0x06, 1, 2, 0x07, 1, 7]).bytes)],
            [.message(HTTPResponse.pairing([0xFF]).bytes)],
        ] as [[ScriptStep]?]
    )
    func movedAccessoryIsFoundByItsAnnouncement(_ answer: [ScriptStep]?) async throws {
        var impostor = Script()
        impostor.identity = .random()
        impostor.respond = { _, response in answer ?? [.message(response.bytes)] }
        try await ScriptedAccessory.serve(impostor) { other in
            try await ScriptedAccessory.serve(Script()) { accessory in
                let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [other.storedPairing])
                let finder = FixedFinder(endpoints: [AccessoryEndpoint(host: "127.0.0.1", port: accessory.port)])
                let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
                let paired = try await controller.accessory("Lamp")
                let results = try await paired.read([on])
                #expect(results.map(\.value) == [true])
                let stored = try await store.pairings()
                #expect(stored.map(\.port) == [accessory.port])
                await controller.close()
            }
        }
    }

    @Test("If another device responds at one endpoint, the next one is tried")
    func otherEndpointIsTriedWhenAnImpostorResponds() async throws {
        var impostor = Script()
        impostor.identity = .random()
        try await ScriptedAccessory.serve(impostor) { other in
            try await ScriptedAccessory.serve(Script()) { accessory in
                var stored = other.storedPairing
                stored.host = nil
                let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [stored])
                let endpoints = [other.port, accessory.port].map { AccessoryEndpoint(host: "127.0.0.1", port: $0) }
                let finder = FixedFinder(endpoints: endpoints)
                for _ in 0..<5 {
                    let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
                    let paired = try await controller.accessory("Lamp")
                    #expect(try await paired.read([on]).map(\.value) == [true])
                    await controller.close()
                }
            }
        }
    }

    @Test("If the accessory itself refuses the controller, no other endpoint is searched for")
    func refusalByTheAccessoryEndsTheSearch() async throws {
        var script = Script()
        script.pairings = []
        try await ScriptedAccessory.serve(script) { accessory in
            try await ScriptedAccessory.serve(Script()) { other in
                let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [accessory.storedPairing])
                let finder = FixedFinder(endpoints: [AccessoryEndpoint(host: "127.0.0.1", port: other.port)])
                let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
                let paired = try await controller.accessory("Lamp")
                await expect(.refused(.authentication)) { _ = try await paired.read([on]) }
                #expect(other.journal.requests.isEmpty)
                await controller.close()
            }
        }
    }

    @Test("An unauthenticated refusal does not end a watch")
    func unauthenticatedRefusalDoesNotEndAWatch() async throws {
        let once = OnceFlag()
        let script = Script.responding(to: .pairVerify) { response in
            once.claim()
                ? [.message(HTTPResponse.pairing([0x06, 1, 2, 0x07, 1, 2]).bytes)] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            await expect(.unproven(.authentication)) { _ = try await paired.read([on]) }
            let results = try await paired.read([on])
            #expect(results.map(\.value) == [true])
        }
    }

    @Test("If the search fails, the original error is reported")
    func originalErrorIsReportedWhenTheSearchFails() async throws {
        var impostor = Script()
        impostor.identity = .random()
        try await ScriptedAccessory.serve(impostor) { other in
            let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [other.storedPairing])
            let noDaemon = ControllerError(.discovery, reason: "There is no daemon.", remedy: "Start it.")
            let finder = FixedFinder(endpoints: [], failure: noDaemon)
            let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
            let paired = try await controller.accessory("Lamp")
            await expect(.wrongAccessory) { _ = try await paired.read([on]) }
            await controller.close()
        }
    }

    @Test("Concurrent callers share one session")
    func concurrentCallersShareOneSession() async throws {
        try await ScriptedAccessory.run { accessory, paired in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await paired.read([on]).count }
                }
                for try await count in group {
                    #expect(count == 1)
                }
            }
            #expect(accessory.journal.sessionCount == 1)
        }
    }

    @Test("A closed accessory opens no session")
    func closedAccessoryOpensNoSession() async throws {
        try await ScriptedAccessory.run { _, paired in
            _ = try await paired.read([on])
            await paired.close()
            await expect(.closed) { _ = try await paired.read([on]) }
            await expect(.closed) { for try await _ in await paired.changes(of: [on]) {} }
        }
    }
}
