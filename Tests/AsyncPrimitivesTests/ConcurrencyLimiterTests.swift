import AsyncPrimitives
import Testing

struct ConcurrencyLimiterTests {
    @Test func onlyTheNumberOfTasksBegins() async {
        let limiter = ConcurrencyLimiter(2, patience: .milliseconds(1))
        #expect(await limiter.acquire())
        #expect(await limiter.acquire())
        #expect(await !limiter.acquire())
        limiter.release()
        #expect(await limiter.acquire())
    }

    /// The task waits before the other one ends, or arrives after it; both happen in so many repetitions.
    @Test func waitingTaskBeginsWhenAnotherEnds() async {
        let limiter = ConcurrencyLimiter(1, patience: .seconds(60))
        #expect(await limiter.acquire())
        for repetition in 0..<200 {
            let waiting = Task { await limiter.acquire() }
            for _ in 0..<repetition % 10 { await Task.yield() }
            limiter.release()
            #expect(await waiting.value)
        }
    }

    @Test func taskThatStopsWaitingTakesNoPlace() async {
        let limiter = ConcurrencyLimiter(1, patience: .seconds(60))
        #expect(await limiter.acquire())
        for repetition in 0..<200 {
            let cancelled = Task { await limiter.acquire() }
            for _ in 0..<repetition % 10 { await Task.yield() }
            cancelled.cancel()
            #expect(await !cancelled.value)
            limiter.release()
            #expect(await limiter.acquire())
        }
    }
}
