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

    /// In some repetitions the task waits already when the other one ends, and in others it arrives later.
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
