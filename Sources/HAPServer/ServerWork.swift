internal import HAPCore

/// Something that a server must not do on its event loop.
enum ServerWork: Sendable {
    /// Large exponentiations, for a connection's pair-setup.
    case compute(SRPComputation, for: ConnectionID, procedure: UInt64)
    /// The same in advance, for whoever comes next.
    case prepareServerKey
    /// A change of the pairings, to be on disk before it is acknowledged.
    case persist(PairingChange, for: PersistOrigin)
    /// The values that have changed.
    case saveValues
}

/// Who waits for a change of the pairings to be on disk.
enum PersistOrigin: Sendable, Hashable {
    /// The pair-setup of a connection.
    case pairSetup(ConnectionID, procedure: UInt64)
    /// A request to `/pairings`.
    case pairings(ConnectionID)
    /// Nobody: the server itself, because the last admin has gone.
    case lastAdmin
}
