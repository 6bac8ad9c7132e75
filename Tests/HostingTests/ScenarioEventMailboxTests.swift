import AsyncPrimitives
import Hosting
import Simulation
import Testing

/// The events that the mailbox stores for a scenario, and those that it drops.
struct ScenarioEventMailboxTests {
    private let event = ScenarioEvent.controller(.pairs, server: 0, nil)

    @Test
    func nothingIsStoredWithoutAReader() {
        let mailbox = ScenarioEventMailbox()
        mailbox.send(event)
        #expect(mailbox.dequeue() == nil)
        mailbox.open { _ in true }
        mailbox.send(event)
        mailbox.close()
        #expect(mailbox.dequeue() == nil)
        mailbox.send(event)
        #expect(mailbox.dequeue() == nil)
    }

    @Test
    func onlySelectedEventsAreStored() {
        let mailbox = ScenarioEventMailbox()
        mailbox.open { $0 == .controller(.reads, server: 1, nil) }
        mailbox.send(event)
        mailbox.send(.controller(.reads, server: 1, nil))
        #expect(mailbox.dequeue() == [.controller(.reads, server: 1, nil)])
    }

    @Test
    func anOverflowIsReportedUntilTheMailboxIsReopened() {
        let mailbox = ScenarioEventMailbox()
        mailbox.open { _ in true }
        for _ in 0..<SelectedEvents.capacity { mailbox.send(event) }
        #expect(!mailbox.hasOverflowed)
        mailbox.send(event)
        #expect(mailbox.hasOverflowed)
        #expect(mailbox.dequeue()?.count == SelectedEvents.capacity)
        #expect(mailbox.hasOverflowed)
        mailbox.open { _ in true }
        #expect(!mailbox.hasOverflowed)
    }
}
