/// What a controller does that a scenario may wait for.
package enum ControllerDeed: String, Sendable, Hashable, CaseIterable {
    /// It pairs.
    case pairs
    /// It gives up its pairing, or is removed.
    case unpairs
    /// It opens a session.
    case connects
    /// It reads a characteristic.
    case reads
    /// It writes a characteristic.
    case writes
    /// It subscribes to a characteristic.
    case subscribes

    /// Whether it does it to a characteristic, and not to a whole server.
    package var concernsCharacteristics: Bool {
        switch self {
        case .reads, .writes, .subscribes: true
        case .pairs, .unpairs, .connects: false
        }
    }
}
