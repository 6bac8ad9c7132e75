import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1))) struct OneShotTests {
    @Test func firstOfManyValuesWins() async {
        let outcome = OneShot<Int>()
        #expect(outcome.value == nil)
        let responses = await withTaskGroup { group in
            for number in 0..<32 {
                group.addTask { outcome.set(number) }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(responses.count == 1)
        #expect(outcome.value == responses.first)
        #expect(await outcome.wait() == responses.first)
    }

    @Test func allWaitersGetTheValue() async {
        let outcome = OneShot<Int>()
        let waiting = (0..<8)
            .map { number in
                Task { number.isMultiple(of: 2) ? await outcome.wait() : await outcome.waitUnlessCancelled() }
            }
        for _ in 0..<100 { await Task.yield() }
        outcome.set(7)
        for task in waiting { #expect(await task.value == 7) }
    }

    @Test(arguments: [false, true]) func cancelledTaskStopsWaitingIfCancellable(beforeWaiting: Bool) async {
        let outcome = OneShot<Int>()
        let patient = Task {
            if beforeWaiting { withUnsafeCurrentTask { $0?.cancel() } }
            return await outcome.wait()
        }
        let impatient = Task {
            if beforeWaiting { withUnsafeCurrentTask { $0?.cancel() } }
            return await outcome.waitUnlessCancelled()
        }
        for _ in 0..<100 { await Task.yield() }
        patient.cancel()
        impatient.cancel()
        #expect(await impatient.value == nil)
        outcome.set(1)
        #expect(await patient.value == 1)
        #expect(await outcome.waitUnlessCancelled() == 1)
    }

    @Test func signalIsNotLostWithoutWaiter() async {
        let signal = AsyncSignal()
        signal.signal()
        signal.signal()
        await signal.wait()
        // The first wait consumed both signals.
        let hasEnded = OneShot<Void>()
        let second = Task {
            await signal.wait()
            hasEnded.set()
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!hasEnded.isSet)
        signal.signal()
        await second.value
        let cancelled = Task { await AsyncSignal.waitForCancellation() }
        cancelled.cancel()
        await cancelled.value
    }
}
