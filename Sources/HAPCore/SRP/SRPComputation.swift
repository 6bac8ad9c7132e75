/// An expensive part of pair-setup, to be run on a thread where half a millisecond to four do not matter.
///
/// A machine answers with one and does nothing until it is handed the result. Two are equal when they are the same.
///
/// HAP: §6.1
package final class SRPComputation: Sendable {
    /// What is computed.
    package enum Kind: Sendable, Hashable {
        /// A key pair of the accessory's. One that was prepared in advance answers just as well.
        case serverKey
        /// Whether a controller's proof holds.
        case serverAgreement
        /// A controller's public key and proof.
        case clientAnswer
    }

    /// What came of it.
    package enum Result: Sendable {
        /// The accessory's key pair.
        case serverKey(SRPServerKey)
        /// The agreement, `nil` when the controller's proof was wrong.
        case serverAgreement(SRPAgreement?)
        /// The controller's public key and proof, `nil` when the accessory's key cannot be computed with.
        case clientAnswer(SRPClient.Answer?)
    }

    package let kind: Kind
    private let body: @Sendable () -> Result

    init(_ kind: Kind, _ body: @escaping @Sendable () -> Result) {
        self.kind = kind
        self.body = body
    }

    /// Computes; from any thread.
    package func run() -> Result {
        body()
    }
}

extension SRPComputation: Equatable {
    package static func == (left: SRPComputation, right: SRPComputation) -> Bool {
        left === right
    }
}

extension SRPComputation: CustomStringConvertible {
    /// The kind; never what goes in.
    package var description: String {
        "SRP computation (\(kind))"
    }
}
