/// Requests to add, remove and list pairings on one connection, on the accessory's side.
///
/// HAP: §9
package struct PairingsAccessory: ~Copyable {
    /// The next action of the caller.
    package enum Action: Equatable, Sendable {
        /// Respond with HTTP 200 and this body.
        case respond(PairingResponse)
        /// Make this change durable, then call `didPersist`.
        ///
        /// Then end the sessions of removed controllers: other sessions immediately, the session of this request after
        /// the response.
        case persist(PairingChange)
        /// Respond with HTTP 400 and an empty body.
        case refuse(ProtocolError)
    }

    /// Whether a requested change is being made durable.
    private var isPersisting = false

    /// Creates a machine that expects a request.
    package init() {}

    /// Handles a request of the controller `caller`, whose permission is in `pairings`.
    package mutating func receive(
        _ message: [UInt8],
        from caller: ControllerIdentifier,
        pairings: PairingTable
    ) -> Action {
        guard !isPersisting else { preconditionFailure("a request was handed over before the last one was answered") }
        let action: Action
        do throws(ProtocolError) {
            action = try Self.action(for: TLV8Message(message, at: "pairings"), caller, pairings)
        } catch {
            action = .refuse(error)
        }
        if case .persist = action {
            isPersisting = true
        }
        return action
    }

    /// Handles the end of the attempt to make a requested change durable.
    package mutating func didPersist(isDurable: Bool) -> Action {
        guard isPersisting else { preconditionFailure("nothing was asked to be stored") }
        isPersisting = false
        return isDurable ? Self.success : .respond(.refusal(2, .unknown))
    }
}

// MARK: - Requests

extension PairingsAccessory {
    private static let success = Action.respond(PairingResponse(TLV8Writer.message(2).bytes, .completed))

    private static func action(
        for message: TLV8Message,
        _ caller: ControllerIdentifier,
        _ pairings: PairingTable
    ) throws(ProtocolError) -> Action {
        let state = try message.state()
        guard state == 1 else {
            throw ProtocolError(.sequence, "the message is not the one expected", at: "pairings M\(state)")
        }
        let method = PairingMethod(rawValue: try message.byte(.method))
        let perform: (TLV8Message, PairingTable) throws(ProtocolError) -> Action
        switch method {
        case .addPairing: perform = add
        case .removePairing: perform = remove
        case .listPairings: perform = list
        case .pairSetup, .pairSetupWithAuth, .pairVerify, .pairResume, nil:
            throw ProtocolError(.tlv, "the method is not one for pairings", at: "pairings M1")
        }
        guard pairings[caller]?.isAdmin == true else { return .respond(.refusal(2, .authentication)) }
        return try perform(message, pairings)
    }

    private static func add(_ message: TLV8Message, _ pairings: PairingTable) throws(ProtocolError) -> Action {
        let identifier = try message.controllerIdentifier()
        let publicKey = try message.longTermKey()
        let permissions = try message.byte(.permissions)
        guard permissions & ~1 == 0 else {
            throw ProtocolError(.tlv, "permissions hold unknown bits", at: "add pairing")
        }
        let pairing = Pairing(identifier: identifier, publicKey: publicKey, isAdmin: permissions == 1)
        if let known = pairings[identifier] {
            guard known.publicKey == publicKey else { return .respond(.refusal(2, .unknown)) }
            guard known != pairing else { return success }
        } else {
            guard pairings.pairings.count < PairingTable.capacity else { return .respond(.refusal(2, .maxPeers)) }
        }
        return persistAction(.put(pairing), pairings)
    }

    private static func remove(_ message: TLV8Message, _ pairings: PairingTable) throws(ProtocolError) -> Action {
        let identifier = try message.controllerIdentifier()
        guard pairings[identifier] != nil else { return success }
        return persistAction(.remove(identifier), pairings)
    }

    private static func list(_ message: TLV8Message, _ pairings: PairingTable) -> Action {
        .respond(PairingResponse(listMessage(pairings.pairings), .completed))
    }

    /// Returns the answer with all pairings, which ``PairingsController/readList(_:)`` reads.
    package static func listMessage(_ pairings: [Pairing]) -> [UInt8] {
        var writer = TLV8Writer.message(2)
        for (index, pairing) in pairings.enumerated() {
            if index > 0 {
                writer.writeSeparator()
            }
            writer.write(pairing.identifier.bytes, .identifier)
            writer.write(pairing.publicKey.bytes, .publicKey)
            writer.write(pairing.isAdmin ? 1 : 0, .permissions)
        }
        return writer.bytes
    }

    private static func persistAction(_ change: PairingChange, _ pairings: PairingTable) -> Action {
        .persist(pairings.keepingAnAdmin(change))
    }
}

/// The pairings of an accessory server, and its count of failed proofs.
///
/// HAP: §1, §9
public struct PairingTable: Sendable, Hashable {
    /// The pairings in the order in which they were added.
    public private(set) var pairings: [Pairing]
    /// The number of failed proofs of pair-setup since the last successful one, including one that is being checked.
    public private(set) var failedProofs: Int

    /// The maximum number of pairings of an accessory server.
    public static let capacity = 64
    /// The number of failed proofs at which pair-setup is refused until the accessory is reset.
    public static let maximumFailedProofs = 100

    /// Creates a table; a negative count counts as 0.
    public init(pairings: [Pairing] = [], failedProofs: Int = 0) {
        self.pairings = pairings
        self.failedProofs = max(failedProofs, 0)
    }

    /// Whether a controller with admin permission is paired.
    public var isPaired: Bool {
        pairings.contains(where: \.isAdmin)
    }

    /// The pairing with this identifier.
    public subscript(identifier: ControllerIdentifier) -> Pairing? {
        pairings.first { $0.identifier == identifier }
    }

    /// Returns a change of pairings as it is made: without a remaining admin, all pairings are removed.
    package func keepingAnAdmin(_ change: PairingChange) -> PairingChange {
        var result = self
        result.apply(change)
        return result.isPaired ? change : .removeAll
    }

    /// Applies a change.
    public mutating func apply(_ change: PairingChange) {
        switch change {
        case .put(let pairing):
            if let index = pairings.firstIndex(where: { $0.identifier == pairing.identifier }) {
                pairings[index] = pairing
            } else {
                pairings.append(pairing)
            }
        case .remove(let identifier):
            pairings.removeAll { $0.identifier == identifier }
        case .removeAll:
            pairings = []
        case .countFailedProof:
            failedProofs += 1
        case .clearFailedProofs:
            failedProofs = 0
        }
    }
}
