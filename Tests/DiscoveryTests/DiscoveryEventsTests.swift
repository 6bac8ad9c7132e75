import Discovery
import TestSupport
import Testing

struct DiscoveryEventsTests {
    @Test func eventsAreNotFetchedBeforeTheyAreRequested() async {
        let fetched = Counter()
        let events = DiscoveryEvents(
            AsyncStream {
                fetched.next()
                return .allForNow
            }
        )
        var updates = events.updates.makeAsyncIterator()
        for _ in 0..<3 {
            #expect(await updates.next() == .allForNow)
        }
        #expect(fetched.count == 3)
    }

    @Test func eventsEndAfterTheirTimeEvenWhileAwaited() async {
        let events = DiscoveryEvents(AsyncStream { _ in })
        events.finish(after: .zero)
        for await _ in events.updates {
            Issue.record("nothing was told")
        }
        for await _ in events.updates {
            Issue.record("it has ended")
        }
    }

    @Test func eventsEndWithTheReadersTask() async {
        let events = DiscoveryEvents(AsyncStream { _ in })
        let task = Task {
            for await _ in events.updates {}
        }
        task.cancel()
        await task.value
    }
}
