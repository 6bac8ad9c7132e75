public import HAPCore

/// Is asked at five points what shall go wrong on purpose.
///
/// Absent, it costs one branch. There is no other place where a fault is injected.
public protocol Interference: Sendable {
    /// Answers for one thing that is about to happen.
    ///
    /// Called on the server's event loop; it must return quickly.
    func interruption(at point: InterferencePoint, now: MonotonicInstant) -> Interruption
}
