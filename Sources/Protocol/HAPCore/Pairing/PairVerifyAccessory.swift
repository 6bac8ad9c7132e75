/// Pair-verify as an accessory runs it on one connection.
///
/// HAP: §7
package struct PairVerifyAccessory: ~Copyable {
    /// The next action of the caller.
    package enum Action: Equatable, Sendable {
        /// Respond with HTTP 200 and this body.
        case respond(PairingResponse)
        /// Respond with HTTP 200 and this unencrypted body, then use encrypted frames with this controller.
        case establish(PairingResponse, SessionKeys, Pairing)
        /// Respond with HTTP 400 and an empty body.
        case refuse(ProtocolError)
    }

    /// The secrets and public keys of M1 and M2, which are needed for M3.
    private struct Exchange: ~Copyable {
        let secrets: PairVerifySecrets
        let accessoryKey: [UInt8]
        let controllerKey: [UInt8]
    }

    private enum State: ~Copyable {
        case idle
        case awaitingFinish(Exchange)
    }

    private let identity: AccessoryIdentity
    private let usage: PairingUsage
    private let state: State

    /// Creates a machine that expects M1.
    package init(identity: AccessoryIdentity, usage: PairingUsage = .homeKit) {
        self.init(identity, usage, .idle)
    }

    private init(_ identity: AccessoryIdentity, _ usage: PairingUsage, _ state: consuming State) {
        (self.identity, self.usage) = (identity, usage)
        self.state = state
    }

    /// Handles a message of the controller; `makeEphemeral` generates the key pair for M1, and is not called otherwise.
    ///
    /// M1 restarts an exchange.
    package mutating func receive(
        _ message: [UInt8],
        pairings: PairingTable,
        ephemeral makeEphemeral: () -> X25519KeyPair
    ) -> Action {
        do throws(ProtocolError) {
            let message = try TLV8Message(message, at: "pair-verify")
            return switch try message.state() {
            case 1: try start(message, makeEphemeral)
            case 3: try finish(message, pairings)
            case let number: throw Self.outOfSequence(number)
            }
        } catch {
            self = Self(identity, usage, .idle)
            return .refuse(error)
        }
    }

    /// Handles M1, in any state.
    private mutating func start(
        _ message: TLV8Message,
        _ makeEphemeral: () -> X25519KeyPair
    ) throws(ProtocolError) -> Action {
        self = Self(identity, usage, .idle)
        guard try message.optionalByte(.method) != PairingMethod.pairResume.rawValue else {
            throw ProtocolError(.tlv, "pair-resume is not offered over IP", at: "pair-verify M1")
        }
        let controllerKey = try message.ephemeralKey()
        let ephemeral = makeEphemeral()
        let accessoryKey = ephemeral.publicKey
        guard let secrets = PairVerifySecrets(ephemeral, peer: controllerKey) else {
            return .respond(.refusal(4, .authentication))
        }

        let identifier = Array(identity.deviceID.text.utf8)
        var content = TLV8Writer()
        content.write(identifier, .identifier)
        content.write(identity.signingKey.signature(of: accessoryKey + identifier + controllerKey), .signature)
        var writer = TLV8Writer.message(2)
        writer.write(accessoryKey, .publicKey)
        writer.write(secrets.seal(content.bytes, .verifyM2), .encryptedData)

        let exchange = Exchange(secrets: secrets, accessoryKey: accessoryKey, controllerKey: controllerKey)
        self = Self(identity, usage, .awaitingFinish(exchange))
        return .respond(PairingResponse(writer.bytes, .continues))
    }

    /// Handles M3.
    private mutating func finish(_ message: TLV8Message, _ pairings: PairingTable) throws(ProtocolError) -> Action {
        switch consume state {
        case .awaitingFinish(let exchange):
            self = Self(identity, usage, .idle)
            guard let opened = exchange.secrets.open(try message.encryptedData(), .verifyM3) else {
                return .respond(.refusal(4, .authentication))
            }
            let content = try TLV8Message(opened, at: "pair-verify M3")
            let identifier = try content.controllerIdentifier()
            let signature = try content.signature()
            let signed = exchange.controllerKey + identifier.bytes + exchange.accessoryKey
            guard let pairing = pairings[identifier], pairing.publicKey.isValidSignature(signature, of: signed) else {
                return .respond(.refusal(4, .authentication))
            }
            let reply = PairingResponse(TLV8Writer.message(4).bytes, .completed)
            return .establish(reply, exchange.secrets.sessionKeys(role: .accessory, usage), pairing)
        case .idle:
            self = Self(identity, usage, .idle)
            throw Self.outOfSequence(3)
        }
    }

    private static func outOfSequence(_ number: UInt8) -> ProtocolError {
        ProtocolError(.sequence, "the message is not the one expected", at: "pair-verify M\(number)")
    }
}
