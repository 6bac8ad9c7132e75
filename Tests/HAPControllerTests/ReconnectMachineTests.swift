import HAPController
import HAPCore
import Testing

@Suite("Reconnecting a lost session")
struct ReconnectMachineTests {
    private func at(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private func expect(
        _ action: ReconnectMachine.Action,
        _ expected: ReconnectMachine.Action,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(action == expected, sourceLocation: sourceLocation)
    }

    @Test("The delay doubles after each failure, up to the maximum")
    func delayDoublesUpToTheMaximum() {
        var machine = ReconnectMachine(shortest: .milliseconds(250), longest: .seconds(2))
        machine.didOpen(at: at(0))
        expect(machine.didLoseSession(at: at(100)), .wait(until: at(350)))
        expect(machine.advance(to: at(349)), .wait(until: at(350)))
        expect(machine.advance(to: at(350)), .open)
        expect(machine.advance(to: at(351)), .none)
        var now: Int64 = 350
        for wait in [500, 1_000, 2_000, 2_000] as [Int64] {
            expect(machine.didFailToOpen(at: at(now)), .wait(until: at(now + wait)))
            now += wait
            expect(machine.advance(to: at(now)), .open)
        }
    }

    @Test("The delay is reset only after a stable session")
    func delayResetsOnlyAfterAStableSession() {
        var machine = ReconnectMachine(shortest: .milliseconds(250), longest: .seconds(2))
        machine.didOpen(at: at(0))
        expect(machine.didLoseSession(at: at(1)), .wait(until: at(251)))
        machine.didOpen(at: at(251))
        expect(machine.didLoseSession(at: at(252)), .wait(until: at(752)))
        machine.didOpen(at: at(752))
        expect(machine.didLoseSession(at: at(2_752)), .wait(until: at(3_002)))
        machine.stop()
        expect(machine.advance(to: at(9_000)), .none)
    }

    @Test("An announcement of the accessory reduces the delay to the minimum")
    func announcementReconnectsAfterTheShortestDelay() {
        var machine = ReconnectMachine(shortest: .milliseconds(250), longest: .seconds(2))
        expect(machine.didReceiveAnnouncement(at: at(0)), .none)
        machine.didOpen(at: at(0))
        expect(machine.didReceiveAnnouncement(at: at(1)), .none)
        expect(machine.didLoseSession(at: at(100)), .wait(until: at(350)))
        expect(machine.advance(to: at(350)), .open)
        expect(machine.didReceiveAnnouncement(at: at(351)), .none)
        expect(machine.didFailToOpen(at: at(400)), .wait(until: at(900)))
        expect(machine.didReceiveAnnouncement(at: at(500)), .wait(until: at(650)))
        expect(machine.didReceiveAnnouncement(at: at(600)), .wait(until: at(650)))
        expect(machine.advance(to: at(650)), .open)
        expect(machine.didFailToOpen(at: at(700)), .wait(until: at(1_700)))
        expect(machine.didReceiveAnnouncement(at: at(1_000)), .open)
        // The delays still continue to grow.
        expect(machine.didFailToOpen(at: at(1_001)), .wait(until: at(3_001)))
    }
}
