internal import NIOCore

/// The phase of a server between start and stop, and the tasks that wait for the stop.
struct Lifecycle {
    enum State {
        case starting
        case serving(any Channel)
        case stopping
        case stopped
    }

    private(set) var state = State.starting
    private var stopWaiters: [AsyncStream<Void>.Continuation] = []

    /// Whether the server has started and has not begun to stop.
    var isServing: Bool {
        if case .serving = state { true } else { false }
    }
    /// Whether the server accepts connections and requests; a server that still serves may have stopped accepting.
    private(set) var isAccepting = true

    /// Stores the channel that accepts connections.
    mutating func serve(_ channel: any Channel) {
        state = .serving(channel)
    }

    /// The task that closes the listener and withdraws the announcement.
    var closing: Task<Void, Never>?

    /// Stops accepting connections and requests.
    mutating func stopAccepting() {
        isAccepting = false
    }

    /// Begins to stop.
    mutating func stop() {
        state = .stopping
    }

    /// Returns a stream that ends when the server has stopped; `nil` when it has.
    mutating func makeStopStream() -> AsyncStream<Void>? {
        if case .stopped = state { return nil }
        // It holds no element, because it only ends.
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingOldest(0))
        stopWaiters.append(continuation)
        return stream
    }

    /// Records that the server has stopped; returns the streams to finish.
    mutating func markStopped() -> [AsyncStream<Void>.Continuation] {
        defer { stopWaiters = [] }
        state = .stopped
        isAccepting = false
        return stopWaiters
    }
}
