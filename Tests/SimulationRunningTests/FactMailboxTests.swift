import Simulation
import SimulationRunning
import Testing

/// What waits for a scenario, and what does not.
struct FactMailboxTests {
    private let fact = ScenarioFact.controller(.pairs, server: 0, nil)

    @Test
    func nothingIsKeptForNobody() {
        let mailbox = FactMailbox()
        mailbox.put(fact)
        #expect(mailbox.takeAll().isEmpty)
        mailbox.open { _ in true }
        mailbox.put(fact)
        mailbox.close()
        #expect(mailbox.takeAll().isEmpty)
        mailbox.put(fact)
        #expect(mailbox.takeAll().isEmpty)
    }

    @Test
    func onlyWhatIsWantedIsKept() {
        let mailbox = FactMailbox()
        mailbox.open { $0 == .controller(.reads, server: 1, nil) }
        mailbox.put(fact)
        mailbox.put(.controller(.reads, server: 1, nil))
        #expect(mailbox.takeAll() == [.controller(.reads, server: 1, nil)])
    }

    @Test
    func whatIsLeftOutIsToldUntilItIsOpenedAnew() {
        let mailbox = FactMailbox()
        mailbox.open { _ in true }
        for _ in 0..<FactMailbox.capacity { mailbox.put(fact) }
        #expect(!mailbox.isOverfull)
        mailbox.put(fact)
        #expect(mailbox.isOverfull)
        #expect(mailbox.takeAll().count == FactMailbox.capacity)
        #expect(mailbox.isOverfull)
        mailbox.open { _ in true }
        #expect(!mailbox.isOverfull)
    }
}
