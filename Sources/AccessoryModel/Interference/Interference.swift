public import HAPCore

/// Says what shall go wrong in a server on purpose.
///
/// Absent, it costs one branch. There is no other place where a fault is injected. Times are those of the clock that the
/// server's behaviours live on, so that a simulated hour ends a fault of an hour.
public protocol Interference: AnyObject, Sendable {
    /// Answers for one thing that is about to happen.
    ///
    /// Called on the server's event loop; it must return quickly.
    func interruption(at point: InterferencePoint, now: MonotonicInstant) -> Interruption

    /// What holds until further notice; asked when the server starts, after ``advance(to:)``, and when somebody tells the
    /// server that something has changed.
    var conditions: ServerConditions { get }

    /// When something begins or ends by itself next; `nil` while nothing does.
    var nextDeadline: MonotonicInstant? { get }

    /// Moves on to `now`.
    func advance(to now: MonotonicInstant)
}

extension Interference {
    /// Everything is as it should be.
    public var conditions: ServerConditions {
        ServerConditions()
    }

    /// Nothing begins or ends by itself.
    public var nextDeadline: MonotonicInstant? {
        nil
    }

    /// Nothing to do.
    public func advance(to now: MonotonicInstant) {}
}
