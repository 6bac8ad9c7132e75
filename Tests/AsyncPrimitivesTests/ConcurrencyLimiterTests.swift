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

    @Test func waitingTaskBeginsWhenAnotherEnds() async {
        let limiter = ConcurrencyLimiter(1, patience: .seconds(60))
        #expect(await limiter.acquire())
        let waiting = Task { await limiter.acquire() }
        limiter.release()
        #expect(await waiting.value)
    }

    @Test func taskThatStopsWaitingTakesNoPlace() async {
        let limiter = ConcurrencyLimiter(1, patience: .seconds(60))
        #expect(await limiter.acquire())
        let cancelled = Task { await limiter.acquire() }
        cancelled.cancel()
        #expect(await !cancelled.value)
        limiter.release()
        #expect(await limiter.acquire())
    }
}
