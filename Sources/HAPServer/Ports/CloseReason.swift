public import HAPCore

/// Why a connection ended.
public enum CloseReason: Sendable, Hashable {
    /// The controller closed it.
    case peer
    /// The controller sent what the protocol does not allow.
    case fault(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The controller's pairing was removed.
    case pairingRemoved
    /// It made room for another one, or there was none for it.
    case limit
    /// It did not complete a request in time, or none at all and was nobody's session.
    case timeLimit
    /// The server stops.
    case stopping
    /// A fault was injected.
    case interference
}
