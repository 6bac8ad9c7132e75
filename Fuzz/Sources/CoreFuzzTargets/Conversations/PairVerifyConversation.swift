import FuzzHarness
import HAPCore
import TestSupport

/// Pair-verify between controllers and an accessory in one process, with a network between them that the input
/// controls.
struct PairVerifyConversation: Conversation, ~Copyable {
    private var accessory = PairVerifyAccessory(identity: Fixture.accessory)
    private var controller: PairVerifyController
    private var identity = Fixture.controller
    private var isControllerWaiting = false
    private var table: PairingTable
    var network = Network()
    /// Whether the paired controller has sent M3.
    private var hasProved = false
    private var forgeries = Forgeries(of: [.identifier, .signature])
    private var drawn: UInt8 = 0
    /// The secret of the last key pair of each side.
    private var secrets = (accessory: [UInt8](), controller: [UInt8]())
    private var accessoryKeys: SessionKeys?
    private var controllerKeys: SessionKeys?

    /// A controller that no accessory knows.
    private static let stranger = ControllerIdentity(
        identifier: Fixture.identifier("stranger"),
        signingKey: Ed25519SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
    )

    init(_ source: inout ByteSource) {
        let options = source.byte()
        table = options & 1 == 0 ? Fixture.pairedTable : PairingTable()
        identity = options & 2 == 0 ? Fixture.controller : Self.stranger
        controller = PairVerifyController(identity: identity, accessory: Fixture.accessoryPairing)
    }

    mutating func run(_ source: inout ByteSource) {
        restart(identity)
        var steps = 0
        while !source.isEmpty, steps < 32 {
            steps += 1
            step(&source)
        }
        finishHonestly()
    }

    private mutating func step(_ source: inout ByteSource) {
        switch source.byte() % 12 {
        case 0, 1: deliver()
        case 2, 3: deliverChanged(by: Mutation(&source))
        case 4, 5: deliverSealedAnew(by: Mutation(&source))
        case 6: deliverTwice()
        case 7: restart(source.byte() & 1 == 0 ? Fixture.controller : Self.stranger)
        case 8: replayToAccessory(source.byte())
        case 9: replayToController(source.byte())
        case 10: receive(source.bytes(Int(source.byte())))
        default:
            switch source.byte() % 2 {
            case 0: respond(source.bytes(Int(source.byte())))
            default: table = table.isPaired ? PairingTable() : Fixture.pairedTable
            }
        }
    }

    /// Checks that after any input, a paired controller can open a session, and that both sides then have the same
    /// keys.
    private mutating func finishHonestly() {
        table = Fixture.pairedTable
        accessoryKeys = nil
        controllerKeys = nil
        restart(Fixture.controller)
        for _ in 0..<4 {
            deliver()
        }
        guard let accessoryKeys, let controllerKeys else { fatalError("does not hold: a paired controller can verify") }
        var sealer = controllerKeys.takeSealer()
        var opener = accessoryKeys.takeOpener()
        let message: [UInt8] = [1, 2, 3]
        let sealed = sealer.sealed(message)
        var opened = [UInt8](repeating: 0, count: message.count)
        let step = sealed.withUnsafeBytes { sealed in
            opened.withUnsafeMutableBytes { opened in
                outcome { () throws(ProtocolError) in try opener.open(sealed, into: opened) }
            }
        }
        claim(step == .success(.frame(consumed: sealed.count, plaintext: 3)), "both ends have the same keys")
        claim(opened == message, "what is sealed at one end is opened at the other")
    }

    private mutating func restart(_ identity: ControllerIdentity) {
        self.identity = identity
        controller = PairVerifyController(identity: identity, accessory: Fixture.accessoryPairing)
        network.toController = nil
        secrets.controller = nextSecret()
        perform(controller.start(ephemeral: X25519KeyPair(secret: SecretBytes(copying: secrets.controller))))
    }

    /// Returns a new secret, so that each exchange has new key pairs.
    private mutating func nextSecret() -> [UInt8] {
        drawn += 1
        return [drawn] + [UInt8](repeating: 0x5A, count: 31)
    }
}

// MARK: - What is sealed

extension PairVerifyConversation {
    /// Changes the encrypted content of M2 or M3, as the other side could.
    mutating func changingContent(of message: [UInt8], by mutation: Mutation) -> [UInt8] {
        guard let items = try? TLV8Message(message, at: "fuzz"), let state = try? items.state(),
            let ciphertext = try? items.encryptedData(), !secrets.accessory.isEmpty
        else { return message }
        let label = state == 2 ? PairingLabel.verifyM2 : .verifyM3
        let accessoryKey = X25519KeyPair(secret: SecretBytes(copying: secrets.accessory)).publicKey
        let pair = X25519KeyPair(secret: SecretBytes(copying: secrets.controller))
        guard let shared = pair.sharedSecret(with: accessoryKey) else { return message }
        let half = SecretBytes(count: 32) { target in
            shared.withBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<32])) }
        }
        let key = HKDF.key(for: .pairVerifyMessages, from: half)
        guard let changed = forgeries.sealAnew(ciphertext, label, key: key, by: mutation) else { return message }
        var writer = TLV8Writer.message(state)
        if let key = items[.publicKey] {
            writer.write(key, .publicKey)
        }
        writer.write(changed, .encryptedData)
        return writer.bytes
    }
}

// MARK: - Accessory

extension PairVerifyConversation {
    mutating func receive(_ message: [UInt8]) {
        var wasDrawn = false
        let secret = nextSecret()
        let action = accessory.receive(message, pairings: table) {
            wasDrawn = true
            return X25519KeyPair(secret: SecretBytes(copying: secret))
        }
        if wasDrawn {
            secrets.accessory = secret
        }
        let sent = try? TLV8Message(message, at: "fuzz")
        switch action {
        case .refuse:
            network.toController = []
        case .respond(let reply):
            claim(sent != nil, "only a message is replied to")
            claim(reply.message.count < 512, "an answer is short")
            let answered = try? TLV8Message(reply.message, at: "fuzz")
            switch reply.outcome {
            case .continues: claim(wasDrawn && answered?[.state] == [2] && answered?[.error] == nil, "M1 leads to M2")
            case .refused(let error): claim(answered?[.error] == [error.rawValue], "a refusal says so")
            case .completed, .paired: fatalError("does not hold: no session begins by a reply alone")
            }
            network.sendToController(reply.message)
        case .establish(let reply, let keys, let pairing):
            claim(
                pairing == Fixture.pairing && table[pairing.identifier] == pairing,
                "only who is paired has a session"
            )
            claim(!forgeries.contain(message), "only what the controller itself has signed is believed")
            claim(hasProved, "a session begins with the proof of a controller that has the key")
            accessoryKeys = keys
            network.sendToController(reply.message)
        }
    }
}

// MARK: - Controller

extension PairVerifyConversation {
    mutating func respond(_ body: [UInt8]) {
        guard isControllerWaiting else { return }
        let action = controller.receive(body)
        if case .send = action {
            claim(!forgeries.contain(body), "only what the accessory itself has signed is believed")
        }
        perform(action)
    }

    private mutating func perform(_ action: PairVerifyController.Action) {
        isControllerWaiting = false
        switch action {
        case .send(let message):
            isControllerWaiting = true
            network.sendToAccessory(message)
            if identity === Fixture.controller, (try? TLV8Message(message, at: "fuzz"))?[.state] == [3] {
                hasProved = true
            }
        case .finished(let keys):
            controllerKeys = keys
        case .failed: break
        }
    }
}
