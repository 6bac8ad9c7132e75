internal import Dispatch
internal import Synchronization

/// A queue on which messages are composed, away from the servers, with a limit for those that wait.
///
/// Beyond the limit, messages are dropped and counted.
final class MessageQueue: Sendable {
    private let capacity: Int
    private let maximumSize: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    private struct State {
        var waiting = 0
        var waitingSize = 0
        var dropped = 0
    }

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: A name for debuggers.
    ///   - capacity: The maximum number of messages that wait.
    ///   - maximumSize: The maximum number of bytes of their bodies.
    init(_ label: String, capacity: Int, maximumSize: Int) {
        queue = DispatchQueue(label: label)
        self.capacity = capacity
        self.maximumSize = maximumSize
    }

    /// Adds a message, unless too many are waiting.
    ///
    /// - Parameters:
    ///   - size: The number of bytes of its body.
    ///   - work: Receives the number of messages that were dropped just before this one.
    func enqueue(size: Int, _ work: @escaping @Sendable (_ missed: Int) -> Void) {
        let missed = state.withLock { state -> Int? in
            guard state.waiting < capacity, state.waitingSize < maximumSize else {
                state.dropped += 1
                return nil
            }
            state.waiting += 1
            state.waitingSize += size
            defer { state.dropped = 0 }
            return state.dropped
        }
        guard let missed else { return }
        queue.async { [self] in
            work(missed)
            state.withLock { state in
                state.waiting -= 1
                state.waitingSize -= size
            }
        }
    }

    /// Waits until everything that was added is done.
    func flush() {
        queue.sync {}
    }

    /// Returns the number of messages that were dropped since the last accepted one, and sets it to zero.
    func takeDropped() -> Int {
        state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}
