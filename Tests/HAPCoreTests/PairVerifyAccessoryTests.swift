import HAPCore
import TestSupport
import Testing

struct PairVerifyAccessoryTests {
    private static let vector = Vectors.all.pairVerify

    @Test func theTranscriptIsAnsweredByteForByte() throws {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        let second = Self.send(Self.vector.M1, to: &machine)
        guard case .respond(let response) = second else {
            Issue.record("no M2")
            return
        }
        #expect(response.message.hex == Self.vector.M2)
        #expect(response.outcome == .continues)
        guard case .establish(let reply, let keys, let pairing) = Self.send(Self.vector.M3, to: &machine) else {
            Issue.record("no session")
            return
        }
        #expect(reply.message.hex == Self.vector.M4)
        #expect(reply.outcome == .completed)
        #expect(pairing == Fixture.pairing)

        var sealer = keys.takeSealer()
        let sessionResponse = Vectors.all.session.response
        #expect(FrameTests.seal(Array(sessionResponse.text.utf8), with: &sealer).hex == sessionResponse.frames.joined())
        var opener = keys.takeOpener()
        let request = Vectors.all.session.request
        let opened = try FrameTests.open([UInt8](hex: request.frames.joined()), with: &opener, pieceSize: .max)
        #expect(opened == Array(request.text.utf8))
    }

    @Test func m1AgainStartsOverWithAnotherKey() throws {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        _ = machine.receive([UInt8](hex: Self.vector.M1), pairings: Fixture.pairedTable) { .random() }
        #expect(Self.message(Self.send(Self.vector.M1, to: &machine)) == Self.vector.M2)
        guard case .establish = Self.send(Self.vector.M3, to: &machine) else {
            Issue.record("no session")
            return
        }
    }

    @Test func anEphemeralKeyIsGeneratedOnlyForM1() {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        var drawn = 0
        for message in ["060101", Self.vector.M3, "", Self.vector.M1, Self.vector.M3] {
            _ = machine.receive([UInt8](hex: message), pairings: Fixture.pairedTable) {
                drawn += 1
                return Self.ephemeral()
            }
        }
        #expect(drawn == 1)
    }

    @Test func anAccessoryWithoutPairingsRefusesM3() {
        expectFailure(Self.vector.M3, pairings: PairingTable())
    }

    @Test func anUnknownControllerIsRefused() {
        expectFailure(
            Self.vector.M3,
            pairings: PairingTable(pairings: [Fixture.pairing(number: 1, isAdmin: true)])
        )
    }

    @Test func aControllerWithADifferentStoredKeyIsRefused() {
        let other = Pairing(
            identifier: Fixture.pairing.identifier,
            publicKey: Fixture.pairing(number: 7, isAdmin: true).publicKey,
            isAdmin: true
        )
        expectFailure(Self.vector.M3, pairings: PairingTable(pairings: [other]))
    }

    @Test(arguments: [TLVType.identifier, .signature])
    func anInvalidSignatureIsRefused(_ type: TLVType) throws {
        let content = try Self.m3Content { $0 == type ? [$1[0] ^ 1] + $1.dropFirst() : $1 }
        expectFailure(Self.m3(content).hex, pairings: Fixture.pairedTable)
    }

    /// Since iOS 16 the letter case is part of the identifier.
    @Test func theIdentifierIsComparedByteForByte() throws {
        let lower = Fixture.pairing.identifier.bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let content = try Self.m3Content { $0 == .identifier ? lower : $1 }
        expectFailure(Self.m3(content).hex, pairings: Fixture.pairedTable)
    }

    @Test(arguments: [0, 60, 119])
    func aWrongTagIsRefused(_ position: Int) {
        var ciphertext = [UInt8](hex: Self.vector.M3encrypted)
        ciphertext[position] ^= 1
        let message = PairingMessages.message((.state, [3]), (.encryptedData, ciphertext))
        expectFailure(message.hex, pairings: Fixture.pairedTable)
    }

    @Test(arguments: smallOrderPoints)
    func aKeyOfSmallOrderIsRefused(_ point: String) {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        let action = Self.send("0601010320" + point, to: &machine)
        #expect(Self.message(action) == Self.vector.M4failure)
        #expect(Self.isRejected(Self.send(Self.vector.M3, to: &machine)))
    }

    @Test(
        arguments: [false, true],
        [
            "", "06", "0600", "06020101", "060100", "060102", "060104", "060105", "0601ff",
            "0320" + vector.M1.suffix(64),
            // M1 without a key, with a key of the wrong size, or with a method that is for BLE or has the wrong size.
            "060101", "06010103" + "1f" + String(repeating: "09", count: 31),
            "06010103" + "21" + String(repeating: "09", count: 33), "06010103" + "00",
            vector.M1 + "000106", vector.M1 + "0000", vector.M1 + "00020606", vector.M1 + "060101",
            // M3 without ciphertext, or with a ciphertext that is shorter than a tag.
            "060103", "0601030500", "060103050f" + String(repeating: "00", count: 15),
        ]
    )
    func anIllegalMessageIsRejectedAndResets(_ isStarted: Bool, hex: String) {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        if isStarted {
            _ = Self.send(Self.vector.M1, to: &machine)
        }
        #expect(Self.isRejected(Self.send(hex, to: &machine)))
        #expect(Self.isRejected(Self.send(Self.vector.M3, to: &machine)), "the exchange has been reset")
    }

    @Test(
        arguments: [
            (TLVType.identifier, 0), (.identifier, 37), (.identifier, nil), (.signature, 63), (.signature, 65),
            (.signature, nil),
        ] as [(TLVType, Int?)]
    )
    func anIllSizedOrMissingEncryptedItemOfM3IsRefused(_ type: TLVType, size: Int?) throws {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        _ = Self.send(Self.vector.M1, to: &machine)
        let content = try Self.m3Content { $0 == type ? size.map { [UInt8](repeating: 1, count: $0) } : $1 }
        #expect(Self.isRejected(Self.send(Self.m3(content).hex, to: &machine)))
    }

    @Test func m3IsAcceptedOnce() {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        _ = Self.send(Self.vector.M1, to: &machine)
        _ = Self.send(Self.vector.M3, to: &machine)
        #expect(Self.isRejected(Self.send(Self.vector.M3, to: &machine)))
    }

    @Test(arguments: ["000102", "000100"])
    func aMethodOtherThanPairResumeIsIgnored(_ method: String) {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        #expect(Self.message(Self.send(Self.vector.M1 + method, to: &machine)) == Self.vector.M2)
    }
}

// MARK: - Helpers

extension PairVerifyAccessoryTests {
    /// Points for which the shared secret is all zeros, whatever the secret key is.
    ///
    /// As RFC 7748 §6.1 suggests, they are detected by this result.
    private static let smallOrderPoints = [
        String(repeating: "00", count: 32),
        "01" + String(repeating: "00", count: 31),
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    ]

    private static func ephemeral() -> X25519KeyPair {
        X25519KeyPair(secret: SecretBytes(hex: vector.accessoryEphemeralSecret))
    }

    private static func send(
        _ hex: String,
        to machine: inout PairVerifyAccessory,
        pairings: PairingTable = Fixture.pairedTable
    ) -> PairVerifyAccessory.Action {
        machine.receive([UInt8](hex: hex), pairings: pairings, ephemeral: ephemeral)
    }

    private static func message(_ action: PairVerifyAccessory.Action) -> String? {
        guard case .respond(let reply) = action else { return nil }
        return reply.message.hex
    }

    private static func isRejected(_ action: PairVerifyAccessory.Action) -> Bool {
        guard case .refuse = action else { return false }
        return true
    }

    private static func m3Content(_ change: (TLVType, [UInt8]) -> [UInt8]?) throws -> [UInt8] {
        let types: [TLVType] = [.identifier, .signature]
        return try PairingMessages.message(of: types, in: [UInt8](hex: vector.M3subTLV), changedBy: change)
    }

    private static func m3(_ content: [UInt8]) -> [UInt8] {
        PairingMessages.message(state: 3, sealing: content, .verifyM3, key: [UInt8](hex: vector.encryptionKey))
    }

    private func expectFailure(
        _ message: String,
        pairings: PairingTable,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        _ = Self.send(Self.vector.M1, to: &machine)
        let action = Self.send(message, to: &machine, pairings: pairings)
        guard case .respond(let reply) = action else {
            Issue.record("not refused: \(action)", sourceLocation: sourceLocation)
            return
        }
        #expect(reply.message.hex == Self.vector.M4failure, sourceLocation: sourceLocation)
        #expect(reply.outcome == .refused(.authentication), sourceLocation: sourceLocation)
        #expect(Self.isRejected(Self.send(Self.vector.M3, to: &machine)), sourceLocation: sourceLocation)
    }
}
