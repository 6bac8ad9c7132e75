internal import HAPCore

extension SecuritySystem {
    /// What it is doing.
    enum State: Sendable, Hashable {
        /// It is what it is to be.
        case settled(Mode)
        /// It will be armed in a mode, and is another until then.
        case leaving(Mode, until: MonotonicInstant, from: Mode)
        /// A sensor has found something: there will be an alarm.
        case entering(Mode, until: MonotonicInstant)
        /// There is an alarm, for a time or until it is disarmed.
        case alarm(Mode, until: MonotonicInstant?)

        /// The value of Security System Current State.
        var current: Int {
            switch self {
            case .settled(let mode), .leaving(_, _, let mode), .entering(let mode, _): mode.rawValue
            case .alarm: 4
            }
        }

        /// The value of Security System Target State.
        var target: Mode {
            switch self {
            case .settled(let mode), .leaving(let mode, _, _), .entering(let mode, _), .alarm(let mode, _): mode
            }
        }

        /// When it changes by itself.
        var end: MonotonicInstant? {
            switch self {
            case .settled: nil
            case .leaving(_, let until, _), .entering(_, let until): until
            case .alarm(_, let until): until
            }
        }
    }
}
