extension Battery {
    /// Charging State.
    enum Charging: Int, Sendable, Hashable {
        case off = 0
        case charging = 1
        case notChargeable = 2
    }
}
