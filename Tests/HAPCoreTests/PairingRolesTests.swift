import HAPCore
import TestSupport
import Testing

/// Tests accessory and controller against each other, and the controller against the test vectors.
struct PairingRolesTests {
    private static let setup = Vectors.all.pairSetup
    private static let verify = Vectors.all.pairVerify

    @Test func pairSetupFollowsTheTranscriptByteForByte() throws {
        let plain = Vectors.all.srp["plain"]
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode) { key, salt, code in
            SRPClient.response(serverKey: key, salt: salt, password: code.text, secret: SecretBytes(hex: plain.a))
        }
        #expect(controller.start() == .send([UInt8](hex: Self.setup.M1)))
        guard case .compute(let computation) = controller.receive([UInt8](hex: Self.setup.M2)) else {
            Issue.record("no computation")
            return
        }
        #expect(computation.kind == .clientResponse)
        #expect(controller.didCompute(computation.run()) == .send([UInt8](hex: Self.setup.M3)))
        #expect(controller.receive([UInt8](hex: Self.setup.M4)) == .send([UInt8](hex: Self.setup.M5)))
        #expect(controller.receive([UInt8](hex: Self.setup.M6)) == .finished(Fixture.accessoryPairing))
        #expect(Fixture.accessoryPairing.deviceID == Fixture.accessory.deviceID)
    }

    @Test func pairVerifyFollowsTheTranscriptByteForByte() throws {
        var controller = Self.verifier()
        #expect(controller.start(ephemeral: Self.ephemeral()) == .send([UInt8](hex: Self.verify.M1)))
        #expect(controller.receive([UInt8](hex: Self.verify.M2)) == .send([UInt8](hex: Self.verify.M3)))
        guard case .finished(let keys) = controller.receive([UInt8](hex: Self.verify.M4)) else {
            Issue.record("no session")
            return
        }
        var sealer = keys.takeSealer()
        let request = Vectors.all.session.request
        #expect(FrameTests.seal(Array(request.text.utf8), with: &sealer).hex == request.frames.joined())
    }

    @Test func aControllerPairsVerifiesAndExchangesMessages() throws {
        let identity = AccessoryIdentity.random()
        let server = SetupDriver(verifier: SRPVerifier(code: Fixture.setupCode), identity: identity)
        let client = ControllerIdentity.random(identifier: Fixture.identifier("me"))
        let pairing = try #require(Self.pair(client, with: server, code: Fixture.setupCode).pairing)
        #expect(pairing.identifier == Array(identity.deviceID.text.utf8))
        #expect(pairing.publicKey == identity.publicKey)
        #expect(server.table.isPaired)

        for _ in 0..<3 {
            let (accessorySide, controllerSide) = try Self.session(
                client,
                with: identity,
                known: pairing,
                pairings: server.table
            )
            var sender = controllerSide.takeSealer()
            var receiver = accessorySide.takeOpener()
            let message = (0..<3_000).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = FrameTests.seal(message, with: &sender)
            #expect(try FrameTests.open(sealed, with: &receiver, pieceSize: 1) == message)
            var answerer = accessorySide.takeSealer()
            var listener = controllerSide.takeOpener()
            let response = FrameTests.seal(message.reversed(), with: &answerer)
            #expect(try FrameTests.open(response, with: &listener, pieceSize: 100) == message.reversed())
        }
    }

    @Test func aWrongCodeIsRefusedByTheAccessory() {
        let server = SetupDriver()
        let result = Self.pair(Fixture.controller, with: server, code: Fixture.setupCode("101-48-006"))
        #expect(result.failure == .refused(.authentication))
        #expect(server.table.failedProofs == 1)
    }

    @Test func aSecondControllerLearnsThatTheAccessoryIsPaired() {
        let server = SetupDriver(table: Fixture.pairedTable)
        let result = Self.pair(Fixture.controller, with: server, code: Fixture.setupCode)
        #expect(result.failure == .refused(.unavailable))
    }
}

// MARK: - What a controller refuses

extension PairingRolesTests {
    /// The state of the error response does not matter, because some accessories send a wrong one.
    @Test(arguments: PairingErrorCode.allCases, [2, 4, 6] as [UInt8])
    func anErrorResponseInAnyStateIsARefusal(_ error: PairingErrorCode, state: UInt8) {
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode)
        _ = controller.start()
        let body = TLV8Writer.refusal(state, error)
        #expect(controller.receive(body) == .failed(.refused(error)))
    }

    @Test(arguments: [
        "", "06", "060102", "060104" + "0301020201aa", "0601020302", "060107010207", "0601020701ff", "06010207020101",
        "0601020300020101", "060102030102",
    ])
    func anIllegalM2FailsPairSetup(_ hex: String) {
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode)
        _ = controller.start()
        guard case .failed = controller.receive([UInt8](hex: hex)) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func aServerKeyThatIsAMultipleOfNFailsPairSetup() {
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode)
        _ = controller.start()
        let body = PairingMessages.message((.state, [2]), (.publicKey, [0]), (.salt, [UInt8](repeating: 1, count: 16)))
        for _ in 1..<PairSetupController.maximumKeyAttempts {
            _ = controller.receive(body)
        }
        guard case .compute(let computation) = controller.receive(body) else {
            Issue.record("no computation")
            return
        }
        guard case .failed(.invalid(let error)) = controller.didCompute(computation.run()) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .authentication)
    }

    @Test func itemsOfAResponseMayComeInAnyOrderWithOthersBetween() {
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode)
        _ = controller.start()
        var writer = TLV8Writer()
        writer.write([1, 2, 3], type: 0x7F)
        writer.write([UInt8](hex: Vectors.all.srp["plain"].salt), .salt)
        writer.write([UInt8](hex: Vectors.all.srp["plain"].B), .publicKey)
        writer.write(2, .state)
        guard case .compute = controller.receive(writer.bytes) else {
            Issue.record("refused")
            return
        }
    }

    @Test func aWrongServerProofFailsPairSetup() {
        var controller = Self.setupControllerAfterM3()
        var proof = [UInt8](hex: Vectors.all.srp["plain"].M2)
        proof[63] ^= 1
        let action = controller.receive(PairingMessages.message((.state, [4]), (.proof, proof)))
        #expect(Self.code(action) == .authentication)
    }

    @Test(arguments: [TLVType.identifier, .publicKey, .signature])
    func aWrongSignatureInM6FailsPairSetup(_ type: TLVType) throws {
        var controller = Self.setupControllerAfterM3()
        _ = controller.receive([UInt8](hex: Self.setup.M4))
        let content = try Self.changing(type, in: Self.setup.M6subTLV, [.identifier, .publicKey, .signature])
        let key = [UInt8](hex: Self.setup.encryptionKey)
        let body = PairingMessages.message(state: 6, sealing: content, .setupM6, key: key)
        #expect(Self.code(controller.receive(body)) == .authentication)
    }

    @Test func aWrongTagInM6FailsPairSetup() {
        var controller = Self.setupControllerAfterM3()
        _ = controller.receive([UInt8](hex: Self.setup.M4))
        var body = [UInt8](hex: Self.setup.M6)
        body[body.count - 1] ^= 1
        #expect(Self.code(controller.receive(body)) == .authentication)
    }

    @Test(arguments: [TLVType.identifier, .signature])
    func aWrongSignatureInM2FailsPairVerify(_ type: TLVType) throws {
        let content = try Self.changing(type, in: Self.verify.M2subTLV, [.identifier, .signature])
        let ciphertext = [UInt8](hex: Self.verify.encryptionKey)
            .withUnsafeBytes {
                ChaChaPoly.seal(content, label: .verifyM2, key: $0)
            }
        let key = [UInt8](hex: Self.verify.accessoryEphemeralPublic)
        try expectVerifyFailure(
            PairingMessages.message((.state, [2]), (.publicKey, key), (.encryptedData, ciphertext)),
            .authentication
        )
    }

    @Test func anotherAccessoryFailsPairVerify() throws {
        let other = AccessoryIdentity.random()
        let known = try #require(
            AccessoryPairing(identifier: other.deviceID.text.utf8, publicKey: Fixture.accessory.publicKey)
        )
        try expectVerifyFailure([UInt8](hex: Self.verify.M2), .authentication, known: known)
        let sameName = try #require(
            AccessoryPairing(identifier: Fixture.accessory.deviceID.text.utf8, publicKey: other.publicKey)
        )
        try expectVerifyFailure([UInt8](hex: Self.verify.M2), .authentication, known: sameName)
    }

    @Test func aKeyOfSmallOrderFailsPairVerify() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        let ciphertext = [UInt8](hex: Self.verify.M2encrypted)
        try expectVerifyFailure(
            PairingMessages.message((.state, [2]), (.publicKey, zero), (.encryptedData, ciphertext)),
            .authentication
        )
    }

    @Test(arguments: ["", "06", "060102", "060104", "0601020320", "060102050100"])
    func anIllegalM2FailsPairVerify(_ hex: String) {
        var controller = Self.verifier()
        _ = controller.start(ephemeral: Self.ephemeral())
        guard case .failed(.invalid) = controller.receive([UInt8](hex: hex)) else {
            Issue.record("not refused")
            return
        }
    }

    @Test(arguments: ["060104070102", "060103", ""])
    func anythingButM4FailsPairVerify(_ hex: String) {
        var controller = Self.verifier()
        _ = controller.start(ephemeral: Self.ephemeral())
        _ = controller.receive([UInt8](hex: Self.verify.M2))
        guard case .failed = controller.receive([UInt8](hex: hex)) else {
            Issue.record("not refused")
            return
        }
    }
}

// MARK: - Pairings

extension PairingRolesTests {
    @Test func pairingsRequestsMatchTheVectors() throws {
        let vector = Vectors.all.pairings
        #expect(PairingsController.listMessage().hex == vector.list)
        #expect(PairingsController.removeMessage(Fixture.controller.identifier).hex == vector.remove)
        let message = try TLV8Message([UInt8](hex: vector.add), at: "test")
        let added = Pairing(
            identifier: try message.controllerIdentifier(),
            publicKey: try message.longTermKey(),
            isAdmin: false
        )
        #expect(PairingsController.addMessage(added).hex == vector.add)
    }

    @Test func pairingsResponsesAreRead() throws {
        let vector = Vectors.all.pairings
        #expect(try PairingsController.readList([UInt8](hex: vector.listResponse)) == [Fixture.pairing])
        #expect(try PairingsController.readList([UInt8](hex: vector.ok)) == [])
        try PairingsController.readAcknowledgement([UInt8](hex: vector.ok))
        #expect(throws: PairingFailure.refused(.authentication)) {
            try PairingsController.readAcknowledgement([UInt8](hex: vector.notAdmin))
        }
        #expect(throws: PairingFailure.refused(.maxPeers)) {
            try PairingsController.readList([UInt8](hex: vector.maxPeers))
        }
    }

    @Test(arguments: ["", "06", "060101", "060102010141", "0601020101410301aa", "060102ff00ff00"])
    func anIllegalListIsRefused(_ hex: String) {
        #expect(throws: PairingFailure.self) { try PairingsController.readList([UInt8](hex: hex)) }
    }
}

// MARK: - Helpers

extension PairingRolesTests {
    /// The result of pair-setup.
    private struct SetupResult {
        var pairing: AccessoryPairing?
        var failure: PairingFailure?
    }

    private static func pair(
        _ identity: ControllerIdentity,
        with server: SetupDriver,
        code: SetupCode
    ) -> SetupResult {
        var controller = PairSetupController(identity: identity, code: code)
        var action = controller.start()
        while true {
            switch action {
            case .send(let message):
                guard let body = server.send(message).message else { return SetupResult() }
                action = controller.receive(body)
            case .compute(let computation):
                action = controller.didCompute(computation.run())
            case .finished(let pairing):
                return SetupResult(pairing: pairing)
            case .failed(let failure):
                return SetupResult(failure: failure)
            }
        }
    }

    private static func session(
        _ client: ControllerIdentity,
        with identity: AccessoryIdentity,
        known: AccessoryPairing,
        pairings: PairingTable
    ) throws -> (accessory: SessionKeys, controller: SessionKeys) {
        var controller = PairVerifyController(identity: client, accessory: known)
        var accessory = PairVerifyAccessory(identity: identity)
        var action = controller.start(ephemeral: .random())
        var accessoryKeys: SessionKeys?
        while case .send(let message) = action {
            switch accessory.receive(message, pairings: pairings, ephemeral: X25519KeyPair.random) {
            case .respond(let reply):
                action = controller.receive(reply.message)
            case .establish(let reply, let keys, _):
                accessoryKeys = keys
                action = controller.receive(reply.message)
            case .refuse(let error):
                throw error
            }
        }
        guard case .finished(let controllerKeys) = action, let accessoryKeys else {
            throw ProtocolError(.authentication, "\(action)", at: "test")
        }
        return (accessoryKeys, controllerKeys)
    }

    private static func setupControllerAfterM3() -> PairSetupController {
        let secret = Vectors.all.srp["plain"].a
        var controller = PairSetupController(identity: Fixture.controller, code: Fixture.setupCode) { key, salt, code in
            SRPClient.response(serverKey: key, salt: salt, password: code.text, secret: SecretBytes(hex: secret))
        }
        _ = controller.start()
        if case .compute(let computation) = controller.receive([UInt8](hex: setup.M2)) {
            _ = controller.didCompute(computation.run())
        }
        return controller
    }

    private static func verifier(known: AccessoryPairing = Fixture.accessoryPairing) -> PairVerifyController {
        PairVerifyController(identity: Fixture.controller, accessory: known)
    }

    private static func ephemeral() -> X25519KeyPair {
        X25519KeyPair(secret: SecretBytes(hex: verify.controllerEphemeralSecret))
    }

    private static func code(_ action: PairSetupController.Action) -> ProtocolError.Code? {
        guard case .failed(.invalid(let error)) = action else { return nil }
        return error.code
    }

    /// Returns the items of these types, with one bit changed in the item of `type`.
    private static func changing(_ type: TLVType, in hex: String, _ types: [TLVType]) throws -> [UInt8] {
        try PairingMessages.message(of: types, in: [UInt8](hex: hex)) { item, value in
            item == type ? [value[0] ^ 1] + value.dropFirst() : value
        }
    }

    private func expectVerifyFailure(
        _ body: [UInt8],
        _ code: ProtocolError.Code,
        known: AccessoryPairing = Fixture.accessoryPairing,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var controller = Self.verifier(known: known)
        _ = controller.start(ephemeral: Self.ephemeral())
        guard case .failed(.invalid(let error)) = controller.receive(body) else {
            Issue.record("not refused", sourceLocation: sourceLocation)
            return
        }
        #expect(error.code == code, sourceLocation: sourceLocation)
    }
}
