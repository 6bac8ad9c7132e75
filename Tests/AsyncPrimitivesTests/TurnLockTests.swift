import AsyncPrimitives
import Synchronization
import Testing

struct TurnLockTests {
    /// The tasks that have the lock.
    private final class Holders: Sendable {
        private struct Counts {
            var now = 0
            var most = 0
            var total = 0
        }

        private let counts = Mutex(Counts())

        var most: Int { counts.withLock { $0.most } }
        var total: Int { counts.withLock { $0.total } }

        func enter() {
            counts.withLock { counts in
                counts.now += 1
                counts.total += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func leave() {
            counts.withLock { $0.now -= 1 }
        }
    }

    @Test func tasksWithTheLockNeverOverlap() async {
        let lock = TurnLock()
        let holders = Holders()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await lock.acquire()
                    holders.enter()
                    await Task.yield()
                    holders.leave()
                    lock.release()
                }
            }
        }
        #expect(holders.most == 1)
        #expect(holders.total == 50)
    }

    @Test func cancelledTaskStillGetsItsTurn() async {
        let lock = TurnLock()
        await lock.acquire()
        let task = Task { await lock.acquire() }
        task.cancel()
        lock.release()
        await task.value
        lock.release()
        await lock.acquire()
    }
    @Test func cancelledTaskGivesUpItsTurn() async {
        let lock = TurnLock()
        await lock.acquire()
        let first = Task { await lock.acquireUnlessCancelled() }
        first.cancel()
        #expect(await first.value == false)
        let second = Task { await lock.acquireUnlessCancelled() }
        lock.release()
        #expect(await second.value)
        lock.release()
        #expect(await lock.acquireUnlessCancelled())
    }
}
