import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("Pairing with an accessory that breaks the protocol")
struct PairSetupErrorTests {
    private func pair(
        with accessory: ScriptedAccessory,
        configuration: ControllerConfiguration = .quick,
        store: InMemoryControllerStore = InMemoryControllerStore()
    ) async throws -> PairedAccessory {
        let controller = try await Controller.open(store: store, configuration: configuration, resolver: nil)
        return try await controller.pair(accessory.target, with: .code(Fixture.setupCode), as: "Lamp")
    }

    @Test(
        "Each pairing error is reported with its own code",
        arguments: [
            (PairingErrorCode.unavailable, ControllerError.Code.alreadyPaired), (.busy, .busy),
            (.maxTries, .tooManyTries),
            (.maxPeers, .maxPeers), (.authentication, .refused(.authentication)), (.unknown, .refused(.unknown)),
        ]
    )
    func pairingErrorsMapToControllerErrors(_ error: PairingErrorCode, _ code: ControllerError.Code) async throws {
        let script = Script.responding(to: .pairSetup) { _ in
            let message = PairingMessages.message((.state, [2]), (.error, [error.rawValue]))
            return [.message(HTTPResponse.pairing(message).bytes)]
        }
        try await ScriptedAccessory.serve(script) { accessory in
            await expect(code) { _ = try await pair(with: accessory) }
        }
    }

    @Test(
        "Each HTTP status is reported with its own code",
        arguments: [
            (HTTPStatus.tooManyRequests, ControllerError.Code.busy),
            (.internalServerError, .requestFailed(http: 500, nil)),
        ]
    )
    func httpStatusesMapToControllerErrors(_ status: HTTPStatus, _ code: ControllerError.Code) async throws {
        try await ScriptedAccessory.serve(.responding(to: .pairSetup) { _ in [.message(HTTPResponse(status).bytes)] }) {
            accessory in
            await expect(code) { _ = try await pair(with: accessory) }
        }
    }

    @Test("An M6 that is signed with the wrong key is refused, and nothing is stored")
    func wrongM6SignatureIsRefusedAndStoresNothing() async throws {
        var script = Script()
        script.forgesM6 = true
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore()
            await expectMalformed(.authentication) { _ = try await pair(with: accessory, store: store) }
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("A missing response times out", arguments: [1, 3, 5] as [UInt8])
    func missingResponseTimesOut(_ silentMessage: UInt8) async throws {
        var script = Script()
        script.pairings = []
        script.respond = { request, response in
            PairingMessages.value(.state, of: request.body) == [silentMessage] ? [] : [.message(response.bytes)]
        }
        var configuration = ControllerConfiguration.quick
        // Messages that are answered have plenty of time.
        configuration.pairSetupTime = silentMessage == 1 ? .milliseconds(100) : .seconds(3)
        try await ScriptedAccessory.serve(script) { accessory in
            await expect(.timedOut) { _ = try await pair(with: accessory, configuration: configuration) }
        }
    }

    @Test("An unverified accessory may send bodies of at most 64 KiB")
    func plaintextBodyBeyond64KiBIsRefused() async throws {
        let script = Script.responding(to: .pairSetup) { _ in
            [.message(Array("HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n".utf8))]
        }
        try await ScriptedAccessory.serve(script) { accessory in
            await expectMalformed(.tooLarge) { _ = try await pair(with: accessory) }
        }
    }

    @Test("A response that ends early counts as a lost connection")
    func responseThatEndsEarlyIsALostConnection() async throws {
        let script = Script.responding(to: .pairSetup) { [.raw(Array($0.bytes.dropLast(7))), .close] }
        try await ScriptedAccessory.serve(script) { accessory in
            await expect(.connectionLost) { _ = try await pair(with: accessory) }
        }
    }

    @Test("The error for a malformed response names the protocol layer")
    func malformedResponsesNameTheProtocolLayer() async throws {
        for (bytes, layer) in [
            (HTTPResponse.pairing([6, 200, 1]).bytes, ProtocolError.Code.tlv),
            (HTTPResponse.pairing(PairingMessages.message((.state, [4]))).bytes, .sequence),
            (Array("HTTP/2 OK\r\n\r\n".utf8), .http),
        ] {
            try await ScriptedAccessory.serve(.responding(to: .pairSetup) { _ in [.raw(bytes)] }) { accessory in
                await expectMalformed(layer) { _ = try await pair(with: accessory) }
            }
        }
    }

    @Test("Unsolicited plaintext is not taken for the response to the next request")
    func unsolicitedPlaintextIsNotTakenAsResponse() async throws {
        let script = Script.responding(to: .pairSetup) { [.message($0.bytes + $0.bytes)] }
        try await ScriptedAccessory.serve(script) { accessory in
            await expectMalformed(.sequence) { _ = try await pair(with: accessory) }
        }
    }

    @Test("Pairing succeeds with reordered items and chunked bodies that arrive byte by byte")
    func unusualButValidResponsesPair() async throws {
        var script = Script()
        script.pairings = []
        script.sendsSingleBytes = true
        script.respond = { request, response in
            guard request.endpoint == .pairSetup else { return [.message(response.bytes)] }
            return [.message(Self.chunked(Self.reversed(response.body)))]
        }
        try await ScriptedAccessory.serve(script) { accessory in
            let paired = try await pair(with: accessory)
            #expect(paired.pairing == Fixture.accessoryPairing)
        }
    }

    @Test("A pairing with an accessory other than the expected one is removed")
    func pairingWithAnotherAccessoryIsRemoved() async throws {
        var script = Script()
        script.pairings = []
        try await ScriptedAccessory.serve(script) { accessory in
            let store = InMemoryControllerStore()
            let finder = FixedFinder(endpoints: [AccessoryEndpoint(host: "127.0.0.1", port: accessory.port)])
            let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
            let meant = try #require(DeviceID("11:22:33:44:55:66"))
            await expect(.wrongAccessory) {
                _ = try await controller.pair(.device(meant), with: .code(Fixture.setupCode), as: "Lamp")
            }
            #expect(accessory.journal.changes == [.removeAll])
            let stored = try await store.pairings()
            #expect(stored.isEmpty)
        }
    }

    @Test("A stored pairing survives an attempt to pair another accessory with the same device ID")
    func storedPairingSurvivesAnotherAccessoryWithItsDeviceID() async throws {
        var script = Script()
        script.pairings = []
        try await ScriptedAccessory.serve(script) { accessory in
            let identifier = Fixture.accessoryPairing.identifier
            let pairing = AccessoryPairing(identifier: identifier, publicKey: Fixture.controller.publicKey)
            let door = StoredPairing(alias: "Front Door", pairing: try #require(pairing), host: "127.0.0.1", port: 1)
            let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [door])
            await expect(.wrongAccessory) { _ = try await pair(with: accessory, store: store) }
            let stored = try await store.pairings()
            #expect(stored == [door])
            #expect(accessory.journal.changes == [.removeAll])
        }
    }

    @Test("The accessory of a setup payload is found and stored under its announced name")
    func setupPayloadFindsTheAccessoryAndItsName() async throws {
        var script = Script()
        script.pairings = []
        try await ScriptedAccessory.serve(script) { accessory in
            let endpoint = AccessoryEndpoint(
                host: "127.0.0.1",
                port: accessory.port,
                configurationNumber: 3,
                name: "Porch"
            )
            let finder = FixedFinder(endpoints: [endpoint], deviceID: Fixture.accessory.deviceID)
            let store = InMemoryControllerStore()
            let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
            let setupID = try #require(SetupID("7OSX"))
            let payload = SetupPayload(setupCode: Fixture.setupCode, setupID: setupID, category: .lighting)
            let paired = try await controller.pair(.matchingPayload, with: .payload(payload))
            #expect(paired.alias == "porch")
            let again = try await controller.accessory(Fixture.accessory.deviceID.text)
            #expect(again === paired)
        }
    }

    @Test("A search that does not end times out", arguments: [false, true])
    func endlessSearchTimesOut(isByPayload: Bool) async throws {
        var configuration = ControllerConfiguration()
        configuration.connectionTime = .milliseconds(400)
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: configuration,
            resolver: HangingFinder()
        )
        let setupID = try #require(SetupID("7OSX"))
        let payload = SetupPayload(setupCode: Fixture.setupCode, setupID: setupID, category: .lighting)
        let target = isByPayload ? AccessoryTarget.matchingPayload : .device(Fixture.accessory.deviceID)
        await expect(.notFound) { _ = try await controller.pair(target, with: .payload(payload)) }
    }

    @Test("An unreachable accessory is reported in time")
    func unreachableAccessoryIsReported() async throws {
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .quick,
            resolver: nil
        )
        await expect(.unreachable) {
            _ = try await controller.pair(.address(host: "127.0.0.1", port: 1), with: .code(Fixture.setupCode))
        }
        await expect(.unreachable) {
            // A label of a host name is never that long, so no name server is queried.
            let target = AccessoryTarget.address(host: String(repeating: "x", count: 70), port: 1)
            _ = try await controller.pair(target, with: .code(Fixture.setupCode))
        }
        await expect(.notFound) {
            _ = try await controller.pair(.matchingPayload, with: .code(Fixture.setupCode))
        }
    }

    private static func reversed(_ body: [UInt8]) -> [UInt8] {
        var items: [[UInt8]] = []
        var rest = body[...]
        while let type = rest.first, let length = rest.dropFirst().first {
            let item = Array(rest.prefix(2 + Int(length)))
            rest = rest.dropFirst(item.count)
            // A long value continues in items of the same type.
            if let last = items.last, last.first == type, last.count % 257 == 0 {
                items[items.count - 1] += item
            } else {
                items.append(item)
            }
        }
        return Array(items.reversed().joined())
    }

    private static func chunked(_ body: [UInt8]) -> [UInt8] {
        let (head, tail) = (body.prefix(5), body.dropFirst(5))
        var message = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        message += Array("\(String(head.count, radix: 16)) ; x=y\r\n".utf8)
        message += head
        message += Array("\r\n\(String(tail.count, radix: 16))\r\n".utf8)
        message += tail
        message += Array("\r\n0\r\nX: y\r\n\r\n".utf8)
        return message
    }
}
