internal import AsyncPrimitives
internal import NIOCore

/// The phase of a server between start and stop.
struct Lifecycle {
    enum State {
        case starting
        case serving(any Channel)
        case stopping
        case stopped
    }

    private(set) var state = State.starting
    /// Signals that the server has stopped.
    let stopped = OneShot<Void>()

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

    /// Records that the server has stopped, and wakes the tasks that wait for it.
    mutating func markStopped() {
        state = .stopped
        isAccepting = false
        stopped.set()
    }
}
