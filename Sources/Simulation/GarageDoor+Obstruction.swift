internal import HAPCore

extension GarageDoor {
    /// Whether something is in the door's way.
    enum Obstruction: Sendable, Hashable {
        case none
        /// Something is; it leaves by itself at `until`, if ever.
        case present(until: MonotonicInstant?)

        /// The value of Obstruction Detected.
        var isDetected: Bool {
            switch self {
            case .none: false
            case .present: true
            }
        }

        /// When it leaves by itself.
        var end: MonotonicInstant? {
            switch self {
            case .none: nil
            case .present(let until): until
            }
        }

        /// Takes it away when its time has ended by `now`.
        mutating func settle(at now: MonotonicInstant) {
            if let end, end <= now {
                self = .none
            }
        }
    }
}
