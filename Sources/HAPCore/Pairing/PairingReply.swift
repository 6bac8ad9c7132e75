/// An accessory's answer to a pairing request: HTTP 200 with a TLV8 body.
///
/// HAP: §6, §7, §9
package struct PairingReply: Sendable, Hashable {
    /// What the answer means for the exchange.
    package enum Outcome: Sendable, Hashable {
        /// Another message is expected.
        case continues
        /// The exchange has ended well: pair-verify's M4, or the answer to a request about pairings.
        case completed
        /// Pair-setup has ended with this pairing, which is stored.
        case paired(Pairing)
        /// The exchange has ended with this error, which the message carries.
        case refused(PairingError)
    }

    /// The TLV8 body.
    package let message: [UInt8]
    /// What the answer means for the exchange.
    package let outcome: Outcome

    init(_ message: [UInt8], _ outcome: Outcome) {
        self.message = message
        self.outcome = outcome
    }

    /// The answer that refuses with an error.
    static func refusal(_ state: UInt8, _ error: PairingError) -> PairingReply {
        PairingReply(TLV8Writer.refusal(state, error), .refused(error))
    }
}
