import HomeModel
import HomeRuntime
import Synchronization

/// A clock that a test advances.
final class ManualClock: HomeClock {
    private struct State {
        var now: WallInstant
        var waiting: [Int: (until: WallInstant, continuation: CheckedContinuation<Void, Never>)] = [:]
        var last = 0
    }

    private let state: Mutex<State>

    init(_ now: WallInstant) {
        state = Mutex(State(now: now))
    }

    var now: WallInstant {
        state.withLock { $0.now }
    }

    /// Advances the clock, and resumes the tasks whose time has come.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.waiting.filter { $0.value.until <= state.now }
            for number in due.keys {
                state.waiting[number] = nil
            }
            return due.sorted { $0.key < $1.key }.map(\.value.continuation)
        }
        for continuation in due {
            continuation.resume()
        }
    }

    func wait(until instant: WallInstant?) async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let until = instant ?? WallInstant(nanoseconds: .max)
                    guard until > state.now, !Task.isCancelled else { return true }
                    state.waiting[number] = (until, continuation)
                    return false
                }
                if isOver {
                    continuation.resume()
                }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
        }
    }
}
