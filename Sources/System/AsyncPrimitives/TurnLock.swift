/// A lock that tasks get in the order in which they ask for it.
package final class TurnLock: Sendable {
    private struct Turns: Sendable {
        var next: UInt64 = 0
        var current: UInt64 = 0
        /// The turns of tasks that were cancelled while they waited.
        var abandoned: Set<UInt64> = []

        /// Ends the current turn, and skips those after it that were abandoned.
        mutating func advance() {
            repeat { current += 1 } while abandoned.remove(current) != nil
        }
    }

    private let turns = WaitableState(Turns())

    /// Creates a lock that is free.
    package init() {}

    /// Waits for the turn of this task; a task that is cancelled waits, too.
    package nonisolated(nonsending) func acquire() async {
        let turn = takeTurn()
        _ = await turns.wait(isCancellable: false) { turns in turns.current == turn ? () : nil }
    }

    /// Waits for the turn of this task, and returns whether it has the lock; `false` if it is cancelled first.
    package nonisolated(nonsending) func acquireUnlessCancelled() async -> Bool {
        let turn = takeTurn()
        if await turns.wait(for: { turns in turns.current == turn ? () : nil }) != nil { return true }
        turns.update { turns in
            // The turn may have come after the last attempt.
            guard turns.current == turn else {
                turns.abandoned.insert(turn)
                return false
            }
            turns.advance()
            return true
        }
        return false
    }

    private func takeTurn() -> UInt64 {
        turns.withLock { turns in
            defer { turns.next += 1 }
            return turns.next
        }
    }

    /// Passes the lock on to the next task.
    package func release() {
        turns.update { turns in
            turns.advance()
            return true
        }
    }
}
