import AsyncPrimitives
import Testing

struct TimeLimitTests {
    @Test func workWithinTheLimitReturnsItsResult() async {
        let result = await withTimeLimit(.seconds(60)) { 1 }
        #expect(result == 1)
    }

    @Test func workIsCancelledAtTheLimit() async {
        let isCancelled = OneShot<Bool>()
        let result: Int? = await withTimeLimit(.milliseconds(1)) {
            await AsyncSignal.waitForCancellation()
            isCancelled.set(Task.isCancelled)
            return 1
        }
        #expect(result == nil)
        #expect(isCancelled.value == true)
    }

    @Test func noResultOfTheWorkIsAResult() async {
        let result: Int?? = await withTimeLimit(.seconds(60)) { () -> Int? in nil }
        #expect(result == .some(nil))
    }

    @Test func cancellationOfTheCallerEndsTheWork() async {
        let task = Task {
            await withTimeLimit(.seconds(3_600)) { await AsyncSignal.waitForCancellation() }
        }
        task.cancel()
        _ = await task.value
    }
}
