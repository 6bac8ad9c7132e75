internal import Synchronization

/// Passes on at most `limit` lines per second, and for the others their count.
final class ErrorLineLimit: Sendable {
    private struct State {
        var secondStarted = ContinuousClock.now
        var passed = 0
        var dropped = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    private let report: @Sendable (String) -> Void

    init(perSecond limit: Int, report: @escaping @Sendable (String) -> Void) {
        self.limit = limit
        self.report = report
    }

    /// Returns true if this is the first line dropped in this second: then `reportDropped` is due in a second.
    func receive(_ line: String) -> Bool {
        let (passes, isFirstDropped) = state.withLock { state in
            if state.secondStarted.duration(to: .now) >= .seconds(1) {
                state.secondStarted = .now
                state.passed = 0
            }
            if state.passed < limit {
                state.passed += 1
                return (true, false)
            }
            state.dropped += 1
            return (false, state.dropped == 1)
        }
        if passes { report(line) }
        return isFirstDropped
    }

    func reportDropped() {
        let dropped = state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
        if dropped > 0 { report("\(dropped) more lines") }
    }
}
