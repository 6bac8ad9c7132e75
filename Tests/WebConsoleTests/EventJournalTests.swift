import HAPCore
import HAPServer
import Testing

@testable import WebConsole

struct EventJournalTests {
    private let journal = EventJournal(clock: { EventTime(nanoseconds: 0) })

    private func append(_ count: Int) {
        for number in 0..<count { journal.append(.command("\(number)", message: "")) }
    }

    @Test func idsIncreaseFromOne() {
        append(3)
        #expect(journal.lastID == 3)
        #expect(journal.events(after: 0).events.map(\.id) == [1, 2, 3])
        #expect(journal.events(after: 1, limit: 1).events.map(\.id) == [2])
        #expect(journal.events(after: 3).events.isEmpty)
        #expect(journal.events(after: .max).events.isEmpty)
    }

    @Test func readerLearnsHowManyEventsItMissed() {
        append(EventJournal.capacity + 5)
        let (events, missed) = journal.events(after: 2)
        #expect(missed == 3)
        #expect(events.first?.id == 6)
        #expect(events.count == EventJournal.capacity)
        #expect(events.last?.id == UInt64(EventJournal.capacity + 5))
        #expect(journal.events(after: 5).missed == 0)
    }

    @Test func readerIsWokenByTheEventThatItWaitsFor() async {
        async let waiting: Void = journal.waitForEvents(after: 0, count: 3)
        append(3)
        await waiting
        #expect(journal.lastID == 3)
        // Events that are there already are not waited for.
        await journal.waitForEvents(after: 0)
    }

    @Test func cancelledReaderStopsWaiting() async {
        let task = Task { [journal] in await journal.waitForEvents(after: 100) }
        task.cancel()
        await task.value
        append(1)
        #expect(journal.lastID == 1)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_764_100_000_123_000_000, "2025-11-25T19:46:40.123Z"),
    ])
    func timeIsWrittenAsInRFC3339(nanoseconds: Int, text: String) {
        #expect(EventTime(nanoseconds: Int64(nanoseconds)).text == text)
    }
}
