import Dispatch
import Hosting
import Testing

@Suite(.timeLimit(.minutes(1))) struct UninterruptibleWorkTests {
    @Test
    func aCancelledTaskDoesNotWaitForTheWork() async {
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let end = DispatchSemaphore(value: 0)
        let task = Task {
            await UninterruptibleWork.run {
                beginning.finish()
                end.wait()
                return 1
            }
        }
        for await _ in begun {}
        task.cancel()
        // The work still waits.
        #expect(await task.value == nil)
        end.signal()
    }

    @Test
    func resultIsThatOfTheWork() async {
        #expect(await UninterruptibleWork.run { 1 } == 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await UninterruptibleWork.run { 1 }
        }
        #expect(await task.value == nil)
    }
}
