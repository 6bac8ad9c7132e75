internal import HAPCore
internal import Synchronization

/// One reader of a browser's updates, who may read as slowly as it likes.
final class UpdateListener: Sendable {
    private struct State {
        var pending: PendingUpdates
        var reader: CheckedContinuation<DiscoveryUpdate?, Never>?
        var hasEnded = false
    }

    private let state: Mutex<State>
    /// Called once nobody reads any more.
    private let leave: @Sendable () -> Void

    /// Makes one who reads everything, or only where one accessory is, what it says, and whether there is a daemon.
    init(of deviceID: DeviceID? = nil, leave: @escaping @Sendable () -> Void) {
        state = Mutex(State(pending: PendingUpdates(of: deviceID)))
        self.leave = leave
    }

    deinit {
        leave()
    }

    /// Takes one more update.
    func append(_ update: DiscoveryUpdate) {
        state.withLock { state -> (CheckedContinuation<DiscoveryUpdate?, Never>, DiscoveryUpdate)? in
            guard !state.hasEnded else { return nil }
            state.pending.append(update)
            guard let reader = state.reader, let first = state.pending.popFirst() else { return nil }
            state.reader = nil
            return (reader, first)
        }
        .map { reader, update in reader.resume(returning: update) }
    }

    /// The next update; `nil` when the listener has ended.
    func next() async -> DiscoveryUpdate? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> DiscoveryUpdate?? in
                    if state.hasEnded { return .some(nil) }
                    if let first = state.pending.popFirst() { return first }
                    // One reader at a time; an earlier one that is still there gets nothing more.
                    state.reader?.resume(returning: nil)
                    state.reader = continuation
                    return nil
                }
                if let answer {
                    continuation.resume(returning: answer)
                }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends it; what is pending is dropped.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            state.pending = PendingUpdates()
            defer { state.reader = nil }
            return state.reader
        }?
        .resume(returning: nil)
    }
}
