internal import HAPCore

extension Valve {
    /// What a valve is doing.
    enum State: Sendable, Hashable {
        case closed
        case opening(until: MonotonicInstant)
        /// Water runs, for a time or until it is turned off.
        case open(since: MonotonicInstant, until: MonotonicInstant?)
        case closing(until: MonotonicInstant)

        /// The value of Active.
        var isActive: Bool {
            switch self {
            case .closed, .closing: false
            case .opening, .open: true
            }
        }

        /// The value of In Use: whether water runs.
        var isInUse: Bool {
            switch self {
            case .closed, .opening: false
            case .open, .closing: true
            }
        }

        /// When it changes by itself.
        var end: MonotonicInstant? {
            switch self {
            case .closed: nil
            case .opening(let until), .closing(let until): until
            case .open(_, let until): until
            }
        }
    }
}
