import HAPCore
import TestSupport
import Testing

struct PairSetupAccessoryTests {
    private static let vector = Vectors.all.pairSetup
    private static let plain = Vectors.all.srp["plain"]

    @Test func responsesMatchTheTranscriptByteForByte() {
        let server = SetupDriver()
        server.preparedSecrets = [Self.plain.b]
        #expect(!server.isInProgress)
        let second = server.send([UInt8](hex: Self.vector.M1))
        #expect(second.message?.hex == Self.vector.M2)
        #expect(second.outcome == .continues)
        #expect(server.isInProgress)
        let fourth = server.send([UInt8](hex: Self.vector.M3))
        #expect(fourth.message?.hex == Self.vector.M4)
        #expect(fourth.outcome == .continues)
        let sixth = server.send([UInt8](hex: Self.vector.M5))
        #expect(sixth.message?.hex == Self.vector.M6)
        #expect(sixth.outcome == .paired(Fixture.pairing))
        #expect(!server.isInProgress)
        #expect(server.changes == [.countFailedProof, .clearFailedProofs, .put(Fixture.pairing)])
        #expect(server.table.failedProofs == 0)
    }

    /// About one in 256 random key pairs has a B that begins with a zero byte, and is replaced by another one.
    ///
    /// Most controllers hash B as it is received. If B was shortened or padded, the proof would fail.
    @Test func bNeverBeginsWithAZeroByte() throws {
        let server = SetupDriver()
        server.preparedSecrets = [Vectors.all.srp["B-leading-zero"].b, Self.plain.b]
        let reply = try #require(server.send([UInt8](hex: Self.vector.M1)).message)
        #expect(server.preparedSecrets.isEmpty, "a second key pair is asked for")
        #expect(PairingMessages.value(.publicKey, of: reply)?.hex == Self.plain.B)
    }

    @Test func keyPairWhoseBBeginsWithAZeroByteIsComputedAgain() {
        var machine = PairSetupAccessory(identity: Fixture.accessory, verifier: Fixture.verifier)
        _ = machine.receive([UInt8](hex: Self.vector.M1), pairings: PairingTable(), isSlotFree: true)
        let key = SRPServerKey(secret: SecretBytes(hex: Vectors.all.srp["B-leading-zero"].b))
        #expect(key.publicKey(for: Fixture.verifier).first == 0)
        guard case .compute(let computation) = machine.didCompute(.serverKey(key)) else {
            Issue.record("the key pair was used")
            return
        }
        #expect(computation.kind == .serverKey)
    }

    @Test func m2HasA384BytePublicKeyAndA16ByteSalt() throws {
        let server = SetupDriver()
        for _ in 0..<16 {
            let reply = try #require(server.send([UInt8](hex: Self.vector.M1)).message)
            let publicKey = try #require(PairingMessages.value(.publicKey, of: reply))
            #expect(publicKey.count == 384)
            #expect(publicKey.first != 0)
            #expect(PairingMessages.value(.salt, of: reply)?.count == 16)
        }
    }

    @Test(
        arguments: [
            ("0601010001000001", nil), ("060101000101", true), ("0601010001001304100000" + "00", true),
            ("0001000601011304" + "00000001", true), ("06010100010013" + "00", true), ("0601010001007f0101", true),
        ] as [(String, Bool?)]
    )
    func methodOneFlagsAndUnknownItemsDoNotChangeM2(_ hex: String, isAccepted: Bool?) {
        let server = SetupDriver()
        server.preparedSecrets = [Self.plain.b]
        let action = server.send([UInt8](hex: hex))
        if isAccepted == true {
            #expect(action.message?.hex == Self.vector.M2)
        } else {
            #expect(action.refusalCode == .tlv)
        }
    }

    @Test func repeatedM1RestartsWithAnotherKey() throws {
        let server = SetupDriver()
        let first = try #require(server.send([UInt8](hex: Self.vector.M1)).message)
        let second = try #require(server.send([UInt8](hex: Self.vector.M1)).message)
        #expect(PairingMessages.value(.publicKey, of: first) != PairingMessages.value(.publicKey, of: second))
        #expect(server.isInProgress)
    }

    @Test func m1AfterM4Restarts() {
        let server = SetupDriver()
        server.preparedSecrets = [Self.plain.b, Self.plain.b]
        _ = server.send([UInt8](hex: Self.vector.M1))
        _ = server.send([UInt8](hex: Self.vector.M3))
        #expect(server.send([UInt8](hex: Self.vector.M1)).message?.hex == Self.vector.M2)
        #expect(server.send([UInt8](hex: Self.vector.M3)).message?.hex == Self.vector.M4)
    }
}

// MARK: - Refusals

extension PairSetupAccessoryTests {
    @Test func m1ChecksPairedThenTriesThenBusy() {
        let full = PairingTable.maximumFailedProofs
        let cases: [(PairingTable, isSlotFree: Bool, expected: String?)] = [
            (PairingTable(pairings: [Fixture.pairing], failedProofs: full), false, Self.vector.M2alreadyPaired),
            (PairingTable(pairings: [Fixture.pairing]), true, Self.vector.M2alreadyPaired),
            (PairingTable(failedProofs: full), false, Self.vector.M2tooManyTries),
            (PairingTable(failedProofs: full + 1), true, Self.vector.M2tooManyTries),
            (PairingTable(failedProofs: full - 1), false, Self.vector.M2busy),
        ]
        for (table, isSlotFree, expected) in cases {
            let server = SetupDriver(table: table)
            server.isSlotFree = isSlotFree
            #expect(server.send([UInt8](hex: Self.vector.M1)).message?.hex == expected)
            #expect(!server.isInProgress)
        }
    }

    @Test func pairingsWithoutAnAdminDoNotMakeAnAccessoryPaired() {
        let server = SetupDriver(table: PairingTable(pairings: [Fixture.pairing(number: 1, isAdmin: false)]))
        #expect(server.send([UInt8](hex: Self.vector.M1)).outcome == .continues)
    }

    @Test func aProofIsCountedBeforeItIsChecked() {
        var machine = PairSetupAccessory(identity: Fixture.accessory, verifier: Fixture.verifier)
        let table = PairingTable()
        _ = machine.receive([UInt8](hex: Self.vector.M1), pairings: table, isSlotFree: true)
        _ = machine.didCompute(.serverKey(SRPServerKey(secret: SecretBytes(hex: Self.plain.b))))
        let action = machine.receive(Self.wrongProof, pairings: table, isSlotFree: true)
        #expect(action == .persist(.countFailedProof))
        let isInProgress = machine.isInProgress
        #expect(isInProgress)
        guard case .compute(let computation) = machine.didPersist(isDurable: true) else {
            Issue.record("no computation")
            return
        }
        #expect(computation.kind == .serverAgreement)
        #expect(machine.didCompute(computation.run()).message?.hex == Self.vector.M4wrongCode)
        let isStillInProgress = machine.isInProgress
        #expect(!isStillInProgress)
    }

    @Test(arguments: [[UInt8](hex: vector.M3), wrongProof])
    func proofIsNotCheckedIfItCannotBeCounted(_ proof: [UInt8]) {
        var machine = PairSetupAccessory(identity: Fixture.accessory, verifier: Fixture.verifier)
        _ = machine.receive([UInt8](hex: Self.vector.M1), pairings: PairingTable(), isSlotFree: true)
        _ = machine.didCompute(.serverKey(SRPServerKey(secret: SecretBytes(hex: Self.plain.b))))
        #expect(machine.receive(proof, pairings: PairingTable(), isSlotFree: true) == .persist(.countFailedProof))
        #expect(machine.didPersist(isDurable: false).outcome == .refused(.unknown))
        let isInProgress = machine.isInProgress
        #expect(!isInProgress)
    }

    @Test func hundredWrongProofsEndAllAttempts() {
        let server = SetupDriver()
        for count in 0..<100 {
            #expect(server.table.failedProofs == count)
            #expect(server.send([UInt8](hex: Self.vector.M1)).outcome == .continues)
            #expect(server.send(Self.wrongProof).outcome == .refused(.authentication))
        }
        #expect(server.changes == Array(repeating: .countFailedProof, count: 100))
        #expect(server.send([UInt8](hex: Self.vector.M1)).message?.hex == Self.vector.M2tooManyTries)
    }

    @Test func correctProofClearsTheCountBeforeTheResponse() {
        let server = SetupDriver(table: PairingTable(failedProofs: 99))
        server.preparedSecrets = [Self.plain.b]
        _ = server.send([UInt8](hex: Self.vector.M1))
        #expect(server.send([UInt8](hex: Self.vector.M3)).message?.hex == Self.vector.M4)
        #expect(server.changes == [.countFailedProof, .clearFailedProofs])
        #expect(server.table.failedProofs == 0)
        #expect(server.send([UInt8](hex: Self.vector.M5)).message?.hex == Self.vector.M6)
    }

    @Test(arguments: [[0], [UInt8](repeating: 0, count: 384), [UInt8](hex: Vectors.all.srp.N)])
    func aMultipleOfNIsRefusedAndNotCounted(_ key: [UInt8]) {
        let server = SetupDriver()
        _ = server.send([UInt8](hex: Self.vector.M1))
        let proof = [UInt8](repeating: 0, count: 64)
        let action = server.send(PairingMessages.message((.state, [3]), (.publicKey, key), (.proof, proof)))
        #expect(action.message?.hex == Self.vector.M4wrongCode)
        #expect(server.changes.isEmpty)
        #expect(!server.isInProgress)
    }

    @Test func pairingThatCannotBeStoredFails() {
        let server = Self.serverAfterM4()
        server.isStoreWorking = false
        let action = server.send([UInt8](hex: Self.vector.M5))
        #expect(action.message?.hex == "060106070101")
        #expect(action.outcome == .refused(.unknown))
        #expect(!server.isInProgress)
    }

    @Test func m6IsNotSentBeforeThePairingIsStored() {
        let server = Self.serverAfterM4()
        let action = server.machine.receive([UInt8](hex: Self.vector.M5), pairings: PairingTable(), isSlotFree: true)
        #expect(action == .persist(.put(Fixture.pairing)))
        #expect(server.isInProgress)
        #expect(server.machine.didPersist(isDurable: true).message?.hex == Self.vector.M6)
    }

    @Test func aWrongTagInM5IsRefused() {
        for position in [0, 100, 153] {
            let server = Self.serverAfterM4()
            var ciphertext = [UInt8](hex: Self.vector.M5encrypted)
            ciphertext[position] ^= 1
            let action = server.send(PairingMessages.message((.state, [5]), (.encryptedData, ciphertext)))
            #expect(action.message?.hex == Self.vector.M6badSignature)
            #expect(server.table.pairings.isEmpty)
        }
    }

    @Test(arguments: [TLVType.identifier, .publicKey, .signature])
    func aWrongSignatureInM5IsRefused(_ type: TLVType) throws {
        let server = Self.serverAfterM4()
        let content = try Self.m5Content { type == $0 ? [$1[0] ^ 1] + $1.dropFirst() : $1 }
        let action = server.send(Self.m5(content))
        #expect(action.message?.hex == Self.vector.M6badSignature)
        #expect(server.table.pairings.isEmpty)
    }

    @Test func accessoryPairedMeanwhileRefusesM5() {
        let server = Self.serverAfterM4()
        server.table = PairingTable(pairings: [Fixture.pairing(number: 1, isAdmin: true)])
        #expect(server.send([UInt8](hex: Self.vector.M5)).outcome == .refused(.unavailable))
    }

    @Test func aFullTableRefusesM5() {
        let server = Self.serverAfterM4()
        server.table = PairingTable(pairings: (0..<64).map { Fixture.pairing(number: $0, isAdmin: false) })
        #expect(server.send([UInt8](hex: Self.vector.M5)).message?.hex == "060106070104")
    }
}

// MARK: - Illegal messages

extension PairSetupAccessoryTests {
    /// The progress of a procedure.
    enum ProcedureState: CaseIterable, Sendable {
        case idle
        case afterM2
        case afterM4
    }

    /// These messages are refused with HTTP 400 in every state.
    @Test(
        arguments: ProcedureState.allCases,
        [
            "", "06", "0601", "0600", "06020101", "060100", "060102", "060104", "060106", "060107", "0601ff", "000100",
            // M1 without a method, with a method of the wrong size, or with a method other than pair-setup.
            "060101", "0601010000", "06010100020000", "060101000102", "060101000103", "060101000106", "0601010001ff",
            // M1 with five bytes of flags, with a repeated item, or with an illegal fragment.
            "06010100010013050000000000", "060101000100060101", "06010106010100", "0601010001007f01007f0100",
        ]
    )
    func anIllegalMessageIsRejectedAndResets(_ state: ProcedureState, hex: String) {
        let server = Self.server(at: state)
        let before = server.changes
        #expect(server.send([UInt8](hex: hex)).refusalCode != nil)
        #expect(!server.isInProgress)
        #expect(server.changes == before)
        #expect(server.send([UInt8](hex: Self.vector.M3)).refusalCode == .sequence, "the procedure has been reset")
    }

    @Test(arguments: ProcedureState.allCases, ["M3", "M5"])
    func aMessageOutOfSequenceIsRefusedAndResets(_ state: ProcedureState, name: String) {
        let isExpected = (state == .afterM2 && name == "M3") || (state == .afterM4 && name == "M5")
        guard !isExpected else { return }
        let server = Self.server(at: state)
        let message = name == "M3" ? Self.vector.M3 : Self.vector.M5
        #expect(server.send([UInt8](hex: message)).refusalCode == .sequence)
        #expect(!server.isInProgress)
    }

    @Test(arguments: [(0, 64), (385, 64), (384, 0), (384, 63), (384, 65), (nil, 64), (384, nil)] as [(Int?, Int?)])
    func anIllSizedOrMissingItemOfM3IsRefused(_ keySize: Int?, proofSize: Int?) {
        let server = Self.server(at: .afterM2)
        var writer = TLV8Writer.message(3)
        if let keySize {
            writer.write([UInt8](repeating: 1, count: keySize), .publicKey)
        }
        if let proofSize {
            writer.write([UInt8](repeating: 1, count: proofSize), .proof)
        }
        #expect(server.send(writer.bytes).refusalCode == .tlv)
        #expect(!server.isInProgress)
        #expect(server.changes.isEmpty)
    }

    @Test(arguments: [nil, 0, 1, 15] as [Int?])
    func missingOrTooShortCiphertextInM5IsRefused(_ size: Int?) {
        let server = Self.server(at: .afterM4)
        var writer = TLV8Writer.message(5)
        if let size {
            writer.write([UInt8](repeating: 1, count: size), .encryptedData)
        }
        #expect(server.send(writer.bytes).refusalCode == .tlv)
        #expect(!server.isInProgress)
    }

    @Test(
        arguments: [
            (TLVType.identifier, 0), (.identifier, 37), (.identifier, nil), (.publicKey, 31), (.publicKey, 33),
            (.publicKey, nil), (.signature, 63), (.signature, 65), (.signature, nil),
        ] as [(TLVType, Int?)]
    )
    func anIllSizedOrMissingEncryptedItemOfM5IsRefused(_ type: TLVType, size: Int?) throws {
        let server = Self.server(at: .afterM4)
        let content = try Self.m5Content { $0 == type ? size.map { [UInt8](repeating: 1, count: $0) } : $1 }
        #expect(server.send(Self.m5(content)).refusalCode == .tlv)
        #expect(!server.isInProgress)
        #expect(server.table.pairings.isEmpty)
    }

    @Test func malformedEncryptedItemsOfM5AreRefused() {
        for content in ["", "01", "0105", "010141010142"] {
            let server = Self.server(at: .afterM4)
            #expect(server.send(Self.m5([UInt8](hex: content))).refusalCode == .tlv)
        }
    }

    @Test func aCancelledProcedureConsumesNoProof() {
        let server = Self.server(at: .afterM2)
        server.machine.cancel()
        #expect(!server.isInProgress)
        #expect(server.send([UInt8](hex: Self.vector.M3)).refusalCode == .sequence)
    }
}

// MARK: - Helpers

extension PairSetupAccessoryTests {
    private static let wrongProof = PairingMessages.message(
        (.state, [3]),
        (.publicKey, [UInt8](hex: plain.A)),
        (.proof, [UInt8](repeating: 0x5A, count: 64))
    )

    private static func server(at state: ProcedureState) -> SetupDriver {
        let server = SetupDriver()
        server.preparedSecrets = [plain.b]
        switch state {
        case .idle:
            server.preparedSecrets = []
        case .afterM2:
            _ = server.send([UInt8](hex: vector.M1))
        case .afterM4:
            _ = server.send([UInt8](hex: vector.M1))
            _ = server.send([UInt8](hex: vector.M3))
        }
        return server
    }

    private static func serverAfterM4() -> SetupDriver {
        server(at: .afterM4)
    }

    /// Returns the content of M5, in which each item can be replaced or omitted.
    private static func m5Content(_ change: (TLVType, [UInt8]) -> [UInt8]?) throws -> [UInt8] {
        let types: [TLVType] = [.identifier, .publicKey, .signature]
        return try PairingMessages.message(of: types, in: [UInt8](hex: vector.M5subTLV), changedBy: change)
    }

    private static func m5(_ content: [UInt8]) -> [UInt8] {
        PairingMessages.message(state: 5, sealing: content, .setupM5, key: [UInt8](hex: vector.encryptionKey))
    }
}
