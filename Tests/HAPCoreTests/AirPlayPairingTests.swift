import HAPCore
import TestSupport
import Testing

/// Pairing as a receiver of AirPlay uses it: for one session, by several senders, and with keys for an event channel.
///
/// The keys are derived here by HKDF from what both sides know, so that a wrong salt or direction is found.
struct AirPlayPairingTests {
    private static let password = "3939"

    private static func usage(_ change: (inout PairingUsage) -> Void) -> PairingUsage {
        var usage = PairingUsage()
        change(&usage)
        return usage
    }

    private static let transient = usage { ($0.allowsTransient, $0.storesPairings) = (true, false) }

    private static func driver(_ usage: PairingUsage, _ table: PairingTable = PairingTable()) -> SetupDriver {
        let driver = SetupDriver(table: table)
        driver.machine = PairSetupAccessory(
            identity: Fixture.accessory,
            verifier: SRPVerifier(password: password),
            usage: usage
        )
        return driver
    }

    private static func start(flags: [UInt8]?) -> [UInt8] {
        guard let flags else { return PairingMessages.message((.state, [1]), (.method, [0])) }
        return PairingMessages.message((.state, [1]), (.method, [0]), (.flags, flags))
    }

    /// Returns M3 for M2, and what the sender knows then.
    private static func prove(_ second: [UInt8]?, password: String = password) throws -> SRPClient.Response {
        let second = try #require(second)
        let key = try #require(PairingMessages.value(.publicKey, of: second))
        let salt = try #require(PairingMessages.value(.salt, of: second))
        let response = SRPClient.response(serverKey: key, salt: salt, password: password, secret: .random(count: 32))
        return try #require(response)
    }

    private static func third(_ response: SRPClient.Response) -> [UInt8] {
        PairingMessages.message((.state, [3]), (.publicKey, response.publicKey), (.proof, response.proof))
    }

    // MARK: Keys for one session

    @Test func keysForOneSessionAreThereAfterTheFourthMessageAndNothingIsStored() throws {
        let driver = Self.driver(Self.transient)
        let proof = try Self.prove(driver.send(Self.start(flags: [0x10, 0, 0, 0])).message)
        guard case .establish(let response, let keys) = driver.send(Self.third(proof)) else {
            Issue.record("pair-setup goes on after M4")
            return
        }
        #expect(response.outcome == .completed)
        #expect(PairingMessages.value(.state, of: response.message) == [4])
        #expect(PairingMessages.value(.proof, of: response.message) == proof.agreement.serverProof)
        #expect(driver.table.pairings.isEmpty && driver.changes == [.countFailedProof, .clearFailedProofs])
        #expect(!driver.isInProgress)
        let secret = proof.agreement.sessionKey.withBytes { Array($0) }
        #expect(secret.count == 64)
        try SessionCheck(secret).check(keys)
    }

    @Test(arguments: [[0x10], [0x10, 0, 0, 0], [0x11, 0, 0, 1]] as [[UInt8]])
    func anyLengthOfTheFlagsIsRead(_ flags: [UInt8]) throws {
        let driver = Self.driver(Self.transient)
        #expect(driver.send(Self.start(flags: flags)).outcome == .continues)
    }

    @Test func aWrongPasswordGivesNoKeys() throws {
        let driver = Self.driver(Self.transient)
        let proof = try Self.prove(driver.send(Self.start(flags: [0x10])).message, password: "3938")
        let fourth = driver.send(Self.third(proof))
        #expect(fourth.outcome == .refused(.authentication))
        #expect(driver.changes == [.countFailedProof])
    }

    @Test(arguments: [nil, [0x08], [0, 0, 0, 0]] as [[UInt8]?])
    func aSenderThatWantsAPairingIsRefusedIfNoneIsStored(_ flags: [UInt8]?) {
        let driver = Self.driver(Self.transient)
        #expect(driver.send(Self.start(flags: flags)).outcome == .refused(.authentication))
        #expect(!driver.isInProgress)
    }

    @Test func keysForOneSessionDoNotAllowAFifthMessage() throws {
        let driver = Self.driver(Self.transient)
        let proof = try Self.prove(driver.send(Self.start(flags: [0x10])).message)
        _ = driver.send(Self.third(proof))
        let fifth = PairingMessages.message((.state, [5]), (.encryptedData, [UInt8](repeating: 0, count: 64)))
        #expect(driver.send(fifth).refusalCode == .sequence)
        #expect(driver.table.pairings.isEmpty)
    }

    @Test func keysForOneSessionAreRefusedIfTheCountOfProofsCannotBeStored() throws {
        let driver = Self.driver(Self.transient)
        let proof = try Self.prove(driver.send(Self.start(flags: [0x10])).message)
        driver.isStoreWorking = false
        #expect(driver.send(Self.third(proof)).outcome == .refused(.unknown))
    }

    /// Two procedures on one connection: the flag of the first one does not count for the second one.
    @Test func theFlagIsThatOfTheLastFirstMessage() throws {
        let driver = Self.driver(Self.usage { ($0.allowsTransient, $0.allowsSeveral) = (true, true) })
        _ = driver.send(Self.start(flags: [0x10]))
        let proof = try Self.prove(driver.send(Self.start(flags: nil)).message)
        #expect(driver.send(Self.third(proof)).outcome == .continues)
        let another = try Self.prove(driver.send(Self.start(flags: [0x10])).message)
        guard case .establish = driver.send(Self.third(another)) else {
            Issue.record("the flag is ignored")
            return
        }
    }

    // MARK: Pairings

    /// Pairs a controller with a usage; returns the last action.
    private static func pair(_ driver: SetupDriver, as name: String, flags: [UInt8]? = nil) throws
        -> PairSetupAccessory.Action
    {
        let identity = ControllerIdentity.random(identifier: Fixture.identifier(name))
        var controller = PairSetupController(identity: identity, code: Fixture.setupCode) { key, salt, _ in
            SRPClient.response(serverKey: key, salt: salt, password: password, secret: .random(count: 32))
        }
        guard case .send(var message) = controller.start() else { throw TestFailure("nothing is sent") }
        if let flags { message = Self.start(flags: flags) }
        while true {
            let action = driver.send(message)
            guard case .respond(let response) = action, case .continues = response.outcome else { return action }
            var next = controller.receive(response.message)
            if case .compute(let computation) = next { next = controller.didCompute(computation.run()) }
            guard case .send(let following) = next else { return action }
            message = following
        }
    }

    @Test func severalSendersPairIfThatIsAllowed() throws {
        let driver = Self.driver(Self.usage { $0.allowsSeveral = true })
        for name in ["first", "second", "third"] {
            guard case .paired(let pairing) = try Self.pair(driver, as: name).outcome else {
                Issue.record("\(name) is refused")
                return
            }
            #expect(pairing.identifier == Fixture.identifier(name) && pairing.isAdmin)
        }
        #expect(driver.table.pairings.count == 3)
    }

    @Test func aSecondSenderIsRefusedIfSeveralAreNotAllowed() throws {
        let driver = Self.driver(.homeKit)
        #expect(try Self.pair(driver, as: "first").outcome != nil && driver.table.pairings.count == 1)
        #expect(try Self.pair(driver, as: "second").outcome == .refused(.unavailable))
        #expect(driver.table.pairings.count == 1)
    }

    @Test func aFullTableRefusesAnotherSenderButNotOneThatItHas() throws {
        let pairings = (1...PairingTable.capacity).map { Fixture.pairing(number: UInt8($0), isAdmin: true) }
        let driver = Self.driver(Self.usage { $0.allowsSeveral = true }, PairingTable(pairings: pairings))
        #expect(try Self.pair(driver, as: "another").outcome == .refused(.maxPeers))
        guard case .paired = try Self.pair(driver, as: "controller 1").outcome else {
            Issue.record("a sender that is paired cannot be paired again")
            return
        }
        #expect(driver.table.pairings.count == PairingTable.capacity)
    }

    @Test(arguments: [true, false]) func aPairingIsThatOfAnAdminOnlyIfItMakesAdmins(_ makesAdmins: Bool) throws {
        let driver = Self.driver(Self.usage { ($0.makesAdmins, $0.allowsSeveral) = (makesAdmins, true) })
        _ = try Self.pair(driver, as: "first")
        #expect(driver.table.pairings.map(\.isAdmin) == [makesAdmins])
    }

    @Test(arguments: [[0x10], [0x10, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
    func anAccessoryOfHomeKitIgnoresTheFlag(_ flags: [UInt8]) throws {
        let driver = Self.driver(.homeKit)
        guard case .paired(let pairing) = try Self.pair(driver, as: "first", flags: flags).outcome else {
            Issue.record("no pairing is made")
            return
        }
        #expect(pairing.isAdmin && driver.table.pairings == [pairing])
        #expect(try Self.pair(driver, as: "second", flags: flags).outcome == .refused(.unavailable))
    }

    @Test func theUsageOfHomeKitIsThatOfAMachineWithoutOne() {
        #expect(PairingUsage.homeKit == PairingUsage())
        let usage = PairingUsage.homeKit
        #expect(usage.storesPairings && usage.makesAdmins)
        #expect(!usage.allowsSeveral && !usage.allowsTransient && !usage.hasEventChannel)
    }
}

// MARK: - Pair-verify

extension AirPlayPairingTests {
    private static func verify(_ usage: PairingUsage) throws -> (SessionKeys, SessionKeys) {
        var accessory = PairVerifyAccessory(identity: Fixture.accessory, usage: usage)
        var controller = PairVerifyController(identity: Fixture.controller, accessory: Fixture.accessoryPairing)
        var action = controller.start(ephemeral: .random())
        for _ in 0..<2 {
            guard case .send(let message) = action else { break }
            switch accessory.receive(message, pairings: Fixture.pairedTable, ephemeral: { .random() }) {
            case .respond(let response): action = controller.receive(response.message)
            case .establish(let response, let keys, _):
                guard case .finished(let other) = controller.receive(response.message) else { break }
                return (keys, other)
            case .refuse(let error): throw error
            }
        }
        throw TestFailure("no session is established")
    }

    @Test func aPairedSenderHasKeysForAnEventChannelOnlyIfThereIsOne() throws {
        #expect(try Self.verify(.homeKit).0.events == nil)
        let (keys, other) = try Self.verify(Self.usage { $0.hasEventChannel = true })
        let events = try #require(keys.events)
        // The control channel is that of HomeKit.
        let (receiver, sender) = (StreamEnd(keys), StreamEnd(other))
        #expect(try receiver.open(sender.seal(Array("hello".utf8))) == Array("hello".utf8))
        #expect(try sender.open(receiver.seal(Array("world".utf8))) == Array("world".utf8))
        // The event channel has other keys.
        let channel = StreamEnd(events)
        let wrong = StreamEnd(try Self.verify(.homeKit).1)
        let sealed = channel.seal([1])
        #expect(throws: ProtocolError.self) { try wrong.open(sealed) }
        #expect(throws: ProtocolError.self) { try sender.open(sealed) }
    }

    /// With the vector of pair-verify, whose shared secret is known.
    @Test func theKeysOfTheEventChannelAreDerivedFromTheSharedSecret() throws {
        let vector = Vectors.all.pairVerify
        var machine = PairVerifyAccessory(
            identity: Fixture.accessory,
            usage: Self.usage { $0.hasEventChannel = true }
        )
        let ephemeral = { X25519KeyPair(secret: SecretBytes(hex: vector.accessoryEphemeralSecret)) }
        _ = machine.receive([UInt8](hex: vector.M1), pairings: Fixture.pairedTable, ephemeral: ephemeral)
        let third = [UInt8](hex: vector.M3)
        guard
            case .establish(_, let keys, _) = machine.receive(
                third,
                pairings: Fixture.pairedTable,
                ephemeral: ephemeral
            )
        else {
            Issue.record("no session")
            return
        }
        try SessionCheck([UInt8](hex: vector.sharedSecret)).check(keys)
    }
}

// MARK: - Streams

extension AirPlayPairingTests {
    private static func streams() throws -> (SessionKeys, SessionKeys) { try verify(.homeKit) }

    @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 5_000])
    func aMessageArrivesWholeAndByteByByte(_ length: Int) throws {
        let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for isWhole in [true, false] {
            let (keys, other) = try Self.streams()
            let (receiver, sender) = (StreamEnd(keys), StreamEnd(other))
            var opened: [UInt8] = []
            for _ in 0..<2 {
                let sealed = sender.seal(message)
                #expect(sealed.count == length + 18 * max((length + 1_023) / 1_024, length == 0 ? 0 : 1))
                if isWhole {
                    opened += try receiver.open(sealed)
                } else {
                    for byte in sealed { opened += try receiver.open([byte]) }
                }
            }
            #expect(opened == message + message)
        }
    }

    @Test func aFrameIsReadAsSoonAsItIsComplete() throws {
        let (keys, other) = try Self.streams()
        let (receiver, sender) = (StreamEnd(keys), StreamEnd(other))
        let (first, second) = (sender.seal([1, 2]), sender.seal([3]))
        #expect(try receiver.open(Array(first.dropLast())) == [])
        #expect(try receiver.open([first[first.count - 1]] + second.prefix(3)) == [1, 2])
        #expect(try receiver.open(Array(second.dropFirst(3))) == [3])
    }

    @Test(arguments: [0, 2, 9, 20]) func aChangedByteEndsAStream(_ position: Int) throws {
        let (keys, other) = try Self.streams()
        let (receiver, sender) = (StreamEnd(keys), StreamEnd(other))
        var sealed = sender.seal([1, 2, 3])
        sealed[position] ^= 1
        // A longer frame is complete only with more bytes.
        #expect(throws: ProtocolError.self) { try receiver.open(sealed + [0]) }
    }

    @Test func aFrameThatIsSentAgainEndsAStream() throws {
        let (keys, other) = try Self.streams()
        let (receiver, sender) = (StreamEnd(keys), StreamEnd(other))
        let sealed = sender.seal([1, 2, 3])
        #expect(try receiver.open(sealed) == [1, 2, 3])
        #expect(throws: ProtocolError.self) { try receiver.open(sealed) }
    }
}

// MARK: - Keys

/// One end of a stream.
private final class StreamEnd {
    private var stream: SessionStream

    init(_ keys: SessionKeys) { stream = SessionStream(keys) }

    func open(_ bytes: [UInt8]) throws(ProtocolError) -> [UInt8] { try stream.open(bytes) }
    func seal(_ message: [UInt8]) -> [UInt8] { stream.seal(message) }
}

/// The keys of a session that are derived from a secret, and frames with them.
private struct SessionCheck {
    private let secret: [UInt8]

    init(_ secret: [UInt8]) { self.secret = secret }

    private func key(_ channel: String, _ direction: String) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 32)
        secret.withUnsafeBytes { secret in
            key.withUnsafeMutableBytes { key in
                HKDF.derive(
                    from: secret,
                    salt: Array("\(channel)-Salt".utf8),
                    info: Array("\(channel)-\(direction)-Encryption-Key".utf8),
                    into: key
                )
            }
        }
        return key
    }

    /// A frame: the length in two bytes, which is authenticated, the encrypted content, and the tag.
    private func seal(_ content: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let length: [UInt8] = [UInt8(content.count), 0]
        var sealed = [UInt8](repeating: 0, count: content.count + ChaChaPoly.tagLength)
        content.withUnsafeBytes { content in
            length.withUnsafeBytes { length in
                key.withUnsafeBytes { key in
                    sealed.withUnsafeMutableBytes { sealed in
                        ChaChaPoly.seal(content, authenticating: length, nonce: 0, key: key, into: sealed)
                    }
                }
            }
        }
        return length + sealed
    }

    /// Checks both directions of both channels.
    func check(_ keys: SessionKeys) throws {
        let events = try #require(keys.events)
        let control = StreamEnd(keys)
        // The sender writes with the key Write.
        #expect(try control.open(seal([1, 2], key("Control", "Write"))) == [1, 2])
        #expect(control.seal([3, 4]) == seal([3, 4], key("Control", "Read")))
        // Requests go the other way on the event channel, so the receiver writes with the key Write.
        let channel = StreamEnd(events)
        #expect(channel.seal([5, 6]) == seal([5, 6], key("Events", "Write")))
        #expect(try channel.open(seal([7, 8], key("Events", "Read"))) == [7, 8])
    }
}
