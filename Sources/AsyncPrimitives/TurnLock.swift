/// A lock that tasks get in the order in which they ask for it.
package final class TurnLock: Sendable {
    private struct Turns: Sendable {
        var next: UInt64 = 0
        var current: UInt64 = 0
    }

    private let turns = WaitableState(Turns())

    /// Creates a lock that is free.
    package init() {}

    /// Waits for the turn of this task; a task that is cancelled waits, too.
    package nonisolated(nonsending) func acquire() async {
        let turn = turns.withLock { turns in
            defer { turns.next += 1 }
            return turns.next
        }
        _ = await turns.wait(isCancellable: false) { turns in turns.current == turn ? () : nil }
    }

    /// Passes the lock on to the next task.
    package func release() {
        turns.update { turns in
            turns.current += 1
            return true
        }
    }
}
