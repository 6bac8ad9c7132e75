internal import NIOCore

/// Reopens a lost session for the subscribers.
///
/// Its ``machine`` decides when; one attempt runs at a time.
struct SessionReconnector: ~Copyable {
    private enum Work {
        case idle
        /// A round is running; `repeats` is whether another one was requested in the meantime.
        case running(Task<Void, Never>?, repeats: Bool)
    }

    var machine: ReconnectMachine
    private var timer: Scheduled<Void>?
    private var work = Work.idle

    init(_ machine: consuming ReconnectMachine) {
        self.machine = machine
    }

    /// The task that runs the rounds; `nil` if there is none.
    var task: Task<Void, Never>? {
        if case .running(let task, _) = work { task } else { nil }
    }

    /// Replaces the timer of the machine; returns the previous one, which the caller cancels.
    mutating func replaceTimer(with timer: Scheduled<Void>?) -> Scheduled<Void>? {
        defer { self.timer = timer }
        return self.timer
    }

    /// Requests a round; returns whether the caller must start the task, which is `false` if it is already running.
    mutating func requestRound() -> Bool {
        switch work {
        case .idle:
            work = .running(nil, repeats: false)
            return true
        case .running(let task, _):
            work = .running(task, repeats: true)
            return false
        }
    }

    /// Stores the task that runs the rounds.
    mutating func attach(_ task: Task<Void, Never>) {
        guard case .running(_, let repeats) = work else { return }
        work = .running(task, repeats: repeats)
    }

    /// Records that the current round fulfills all requests so far.
    mutating func markRequestsFulfilled() {
        guard case .running(let task, _) = work else { return }
        work = .running(task, repeats: false)
    }

    /// Ends a round; returns whether another one follows.
    mutating func endRound(isClosed: Bool) -> Bool {
        guard case .running(let task, repeats: true) = work, !isClosed else {
            work = .idle
            return false
        }
        work = .running(task, repeats: false)
        return true
    }
}
