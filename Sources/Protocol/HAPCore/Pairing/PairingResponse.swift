/// Decodes an accessory's response to a controller's pairing message.
///
/// Items may be in any order, and unknown ones are ignored. An error is accepted with any message number.
///
/// HAP: §6.3, §9
enum PairingResponseReader {
    /// Reads the message with the number `state`.
    static func read(_ bytes: [UInt8], state: UInt8, at location: String) throws(PairingFailure) -> TLV8Message {
        let message = try mappingErrors { () throws(ProtocolError) in try TLV8Message(bytes, at: location) }
        try checkState(message, state: state)
        return message
    }

    /// Reads a list, whose first element has the message number `state`.
    static func readList(_ bytes: [UInt8], state: UInt8, at location: String) throws(PairingFailure) -> [TLV8Message] {
        let elements = try mappingErrors { () throws(ProtocolError) in try TLV8Message.list(bytes, at: location) }
        if let first = elements.first {
            try checkState(first, state: state)
        }
        return elements
    }

    /// Turns an error in reading the accessory's message into a failure of the exchange.
    static func mappingErrors<Result>(
        _ body: () throws(ProtocolError) -> Result
    ) throws(PairingFailure) -> Result {
        do throws(ProtocolError) {
            return try body()
        } catch {
            throw .invalid(error)
        }
    }

    private static func checkState(_ message: TLV8Message, state: UInt8) throws(PairingFailure) {
        let error = try mappingErrors { () throws(ProtocolError) in try message.optionalByte(.error) }
        if let error {
            if let known = PairingErrorCode(rawValue: error) { throw .refused(known) }
            throw .invalid(ProtocolError(.refused, "the accessory answered with error \(error)", at: message.location))
        }
        let number = try mappingErrors { () throws(ProtocolError) in try message.state() }
        guard number == state else {
            throw .invalid(ProtocolError(.sequence, "the answer has state \(number)", at: message.location))
        }
    }
}

/// An accessory's answer to a pairing request: HTTP 200 with a TLV8 body.
///
/// HAP: §6, §7, §9
package struct PairingResponse: Sendable, Hashable {
    /// The effect of the response on the exchange.
    package enum Outcome: Sendable, Hashable {
        /// Another message is expected.
        case continues
        /// The exchange was successful: pair-verify's M4, or the response to a pairings request.
        case completed
        /// Pair-setup was successful with this pairing, which is stored.
        case paired(Pairing)
        /// The exchange has ended with this error, which the message reports.
        case refused(PairingErrorCode)
    }

    /// The TLV8 body.
    package let message: [UInt8]
    /// The effect of the response on the exchange.
    package let outcome: Outcome

    init(_ message: [UInt8], _ outcome: Outcome) {
        self.message = message
        self.outcome = outcome
    }

    /// Returns a response with an error.
    static func refusal(_ state: UInt8, _ error: PairingErrorCode) -> PairingResponse {
        PairingResponse(TLV8Writer.refusal(state, error), .refused(error))
    }
}

/// A change of an accessory server's pairings that must be on disk before it is acknowledged.
public enum PairingChange: Sendable, Hashable {
    /// Adds a pairing, or replaces the one with the same identifier.
    case put(Pairing)
    /// Removes one pairing.
    case remove(ControllerIdentifier)
    /// Remove all pairings, because the last admin was removed.
    case removeAll
    /// Counts one more proof as failed; made before the proof is checked.
    case countFailedProof
    /// Sets the count of failed proofs to zero.
    case clearFailedProofs
}

/// The reason why a controller's exchange with an accessory failed.
///
/// HAP: §5, §6.3
public enum PairingFailure: Error, Sendable, Hashable {
    /// The accessory answered with an error.
    case refused(PairingErrorCode)
    /// The accessory's message violates the protocol, or is not signed with the right key.
    case invalid(ProtocolError)
}

extension PairingFailure: CustomStringConvertible {
    /// The name of the accessory's error, or the error in its message.
    public var description: String {
        switch self {
        case .refused(let error): "refused: \(error)"
        case .invalid(let error): error.description
        }
    }
}
