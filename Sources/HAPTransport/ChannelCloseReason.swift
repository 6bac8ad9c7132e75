package import HAPCore

/// Why a connection ended, as far as the transport knows.
package enum ChannelCloseReason: Sendable, Hashable {
    /// The peer closed it.
    case peer
    /// The peer sent what the protocol does not allow.
    case fault(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The pairing was removed, and the removal has been answered.
    case pairingRemoved
    /// Whoever owns the connection ended it.
    case ended
}
