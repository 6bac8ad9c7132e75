package import HAPCore

/// What a write item leads to, before anything is written.
package enum WriteDecision: Sendable, Hashable {
    /// Nothing is to be written: the item is done, or refused.
    case finished(HAPStatus)
    /// The value is valid and goes to the characteristic at this index.
    case accepted(AcceptedWrite)
}
