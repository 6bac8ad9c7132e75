import Discovery
import TestSupport
import Testing

@testable import hap

struct DiscoveryEventsTests {
    @Test func nothingIsFetchedBeforeItIsAskedFor() async {
        let fetched = Counter()
        let events = DiscoveryEvents(
            AsyncStream {
                fetched.next()
                return .sawAll
            }
        )
        var updates = events.updates.makeAsyncIterator()
        for _ in 0..<3 {
            #expect(await updates.next() == .sawAll)
        }
        #expect(fetched.count == 3)
    }

    @Test func theyEndWhenTheirTimeIsUpAlsoWhileSomebodyWaits() async {
        let events = DiscoveryEvents(AsyncStream { _ in })
        events.end(after: .zero)
        for await _ in events.updates {
            Issue.record("nothing was told")
        }
        for await _ in events.updates {
            Issue.record("it has ended")
        }
    }

    @Test func theyEndWithTheTaskOfWhoReads() async {
        let events = DiscoveryEvents(AsyncStream { _ in })
        let task = Task {
            for await _ in events.updates {}
        }
        task.cancel()
        await task.value
    }
}
