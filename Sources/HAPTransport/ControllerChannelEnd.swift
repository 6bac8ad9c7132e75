package import HAPCore

/// Why a connection to an accessory ended, or a request on it.
package enum ControllerChannelEnd: Error, Sendable, Hashable {
    /// The accessory closed it.
    case peer
    /// The accessory sent what the protocol does not allow.
    case fault(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The accessory did not answer a request in time.
    case silence
    /// Whoever owns the connection ended it.
    case ended
    /// Whoever owns the connection ended it over what came of another request, in a sentence.
    case givenUp(String)
    /// Whoever asked does not want the answer any more; the connection stands.
    case cancelled
}
