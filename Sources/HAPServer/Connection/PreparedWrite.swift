internal import HAPCore

/// A timed write that was announced and must follow on the same connection before its time is over.
///
/// HAP: §13 (timed write)
struct PreparedWrite: Sendable, Hashable {
    let pid: UInt64
    let deadline: MonotonicInstant

    init(_ request: PrepareRequest, at now: MonotonicInstant) {
        pid = request.pid
        deadline = now.advanced(by: .milliseconds(Int64(clamping: request.ttl)))
    }

    /// Whether a request with this `pid` is the announced one and still in time.
    func admits(_ pid: UInt64, at now: MonotonicInstant) -> Bool {
        pid == self.pid && now <= deadline
    }
}
