import HAPCore
import HAPServer
import HostTestSupport
import Hosting
import Testing

@testable import WebConsole

struct EventJournalTests {
    private let journal = EventJournal(clock: { EventTime(nanoseconds: 0) })
    private static let light = CharacteristicID(aid: .primary, iid: .accessoryInformation)

    private func append(_ count: Int) {
        for number in 0..<count { journal.append(.command("\(number)", message: "")) }
    }

    @Test func idsIncreaseFromOne() {
        append(3)
        #expect(journal.lastID == 3)
        #expect(journal.events(after: 0).events.map(\.id) == [1, 2, 3])
        #expect(journal.events(after: 1, limit: 1).events.map(\.id) == [2])
        #expect(journal.events(after: 3).events.isEmpty)
        // A position of another process.
        #expect(journal.events(after: .max).events.map(\.id) == [1, 2, 3])
        #expect(journal.events(after: .max).missed == 1)
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

    @Test func greatestPositionIsWaitedForWithoutATrap() async {
        let task = Task { [journal] in await journal.waitForEvents(after: .max) }
        append(1)
        task.cancel()
        await task.value
    }

    @Test func idsOfALaterProcessAreGreater() {
        let first = EventJournal(clock: { EventTime(nanoseconds: 1_764_100_000_000_000_000) })
        let second = EventJournal(clock: { EventTime(nanoseconds: 1_764_100_000_001_000_000) })
        first.append(.command("", message: ""))
        second.append(.command("", message: ""))
        #expect(second.lastID > first.lastID + 900)
        #expect(second.lastID < 1 << 53)
        let (events, missed) = second.events(after: first.lastID)
        #expect(events.count == 1 && missed == 1)
    }

    @Test(arguments: [
        ServerEvent.requestReceived(ConnectionID(7), .put, path: "/characteristics"),
        .responseSent(ConnectionID(7), .noContent),
        .eventSent(ConnectionID(8), count: 3),
        .valueChanged(Self.light, .on, .bool(true), by: .device),
        .valueChanged(Self.light, .hue, .number(.real(0.5)), by: .controller(ConnectionID(7))),
        .valueChanged(Self.light, .name, .string("Lamp"), by: .program),
        .valueChanged(Self.light, .programmableSwitchEvent, nil, by: .device),
        .connectionOpened(ConnectionID(7), peer: "127.0.0.1:50000"),
    ])
    func eventOfAServerIsReadAsItWasAppended(event: ServerEvent) throws {
        ConsoleObserver(of: KnownServer(HostedServer.Identity(id: 3, key: "Lamp", name: "Lamp")), journal)
            .observe(event)
        let content = try #require(journal.events(after: 0).events.last).content
        guard case .server(let server, let stored) = content else {
            Issue.record("\(content)")
            return
        }
        #expect(server == 3 && stored == event)
    }

    @Test func longPathAndLargeValueAreShortened() throws {
        let observer = ConsoleObserver(
            of: KnownServer(HostedServer.Identity(id: 0, key: "Lamp", name: "Lamp")),
            journal
        )
        observer.observe(.requestReceived(ConnectionID(1), .get, path: "/" + String(repeating: "x", count: 5_000)))
        observer.observe(
            .valueChanged(Self.light, .name, .string(String(repeating: "x", count: 5_000)), by: .program)
        )
        let events = journal.events(after: 0).events
        #expect(events.count == 2)
        for event in events { #expect("\(event.content)".utf8.count < 500) }
    }

    @Test func messagesOfInjectedFaultsAreNotKept() throws {
        let observer = ConsoleObserver(
            of: KnownServer(HostedServer.Identity(id: 0, key: "Lamp", name: "Lamp")),
            journal
        )
        let long = [UInt8](repeating: 7, count: 5_000)
        let subject = RequestSummary(.get, path: "/" + String(repeating: "x", count: 5_000))
        let points: [FaultInjectionPoint] = [
            .request(ConnectionID(1), subject), .response(ConnectionID(1), subject, long),
            .eventMessage(ConnectionID(1), Array(repeating: Self.light, count: 500), long),
        ]
        for point in points {
            for decision in [FaultDecision.replace(long), .transmit(Transmission(message: long)), .drop] {
                observer.observe(.faultInjected(point, decision))
            }
        }
        let events = journal.events(after: 0).events
        #expect(events.count == 9)
        for event in events {
            var text = ""
            dump(event.content, to: &text)
            #expect(text.utf8.count < 2_000)
        }
    }

    @Test func readerFromTheBeginningWaitsForTheFirstEvent() async {
        let journal = EventJournal(clock: { EventTime(nanoseconds: 1_764_100_000_000_000_000) })
        let waiting = Task {
            await journal.waitForEvents(after: 0)
            return journal.lastID
        }
        for _ in 0..<1_000 { await Task.yield() }
        journal.append(.command("", message: ""))
        let idOfReturn = await waiting.value
        #expect(idOfReturn == journal.lastID)
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
