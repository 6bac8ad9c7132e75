import AsyncPrimitives
import Simulation
import SimulationRuntime
import Testing

/// What waits for a scenario, and what does not.
struct FactMailboxTests {
    private let fact = ScenarioFact.controller(.pairs, server: 0, nil)

    @Test
    func nothingIsKeptForNobody() {
        let mailbox = FactMailbox()
        mailbox.send(fact)
        #expect(mailbox.take() == nil)
        mailbox.open { _ in true }
        mailbox.send(fact)
        mailbox.close()
        #expect(mailbox.take() == nil)
        mailbox.send(fact)
        #expect(mailbox.take() == nil)
    }

    @Test
    func onlyWhatIsWantedIsKept() {
        let mailbox = FactMailbox()
        mailbox.open { $0 == .controller(.reads, server: 1, nil) }
        mailbox.send(fact)
        mailbox.send(.controller(.reads, server: 1, nil))
        #expect(mailbox.take() == [.controller(.reads, server: 1, nil)])
    }

    @Test
    func whatIsLeftOutIsToldUntilItIsOpenedAnew() {
        let mailbox = FactMailbox()
        mailbox.open { _ in true }
        for _ in 0..<WantedFacts.capacity { mailbox.send(fact) }
        #expect(!mailbox.isOverfull)
        mailbox.send(fact)
        #expect(mailbox.isOverfull)
        #expect(mailbox.take()?.count == WantedFacts.capacity)
        #expect(mailbox.isOverfull)
        mailbox.open { _ in true }
        #expect(!mailbox.isOverfull)
    }
}
