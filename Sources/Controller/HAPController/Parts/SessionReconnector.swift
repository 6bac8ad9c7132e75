internal import NIOCore

/// Reopens a lost session for the subscribers.
///
/// Its ``machine`` decides when; one attempt runs at a time.
struct SessionReconnector {
    var machine: ReconnectMachine
    /// The task that runs the rounds; `nil` if there is none.
    private(set) var task: Task<Void, Never>?
    private var timer: Scheduled<Void>?
    private var isRunning = false
    /// Whether another round was requested during the current one.
    private var repeats = false

    init(_ machine: ReconnectMachine) {
        self.machine = machine
    }

    /// Replaces the timer of the machine; returns the previous one, which the caller cancels.
    mutating func replaceTimer(with timer: Scheduled<Void>?) -> Scheduled<Void>? {
        defer { self.timer = timer }
        return self.timer
    }

    /// Requests a round; returns whether the caller must start the task, which is `false` if it is already running.
    mutating func requestRound() -> Bool {
        repeats = isRunning
        defer { isRunning = true }
        return !isRunning
    }

    /// Stores the task that runs the rounds.
    mutating func attach(_ task: Task<Void, Never>) {
        if isRunning { self.task = task }
    }

    /// Records that the current round fulfills all requests so far.
    mutating func markRequestsFulfilled() {
        repeats = false
    }

    /// Ends a round; returns whether another one follows.
    mutating func endRound(isClosed: Bool) -> Bool {
        isRunning = repeats && !isClosed
        repeats = false
        if !isRunning { task = nil }
        return isRunning
    }
}
