import Discovery
import HAPCore
import Testing

struct MonitorMachineTests {
    enum Event: Sendable {
        case start, stop, daemonAnswers, openFailed, lost
        /// Advances the clock by this number of seconds.
        case advanceClock(Int)
    }

    private static let idle: [Event] = []
    private static let connecting: [Event] = [.start]
    private static let watching: [Event] = [.start, .daemonAnswers]
    private static let pausing: [Event] = [.start, .openFailed]

    static let transitions: [(path: [Event], event: Event, action: MonitorMachine.Action)] = [
        (idle, .start, .open),
        (idle, .stop, .wait), (idle, .daemonAnswers, .wait), (idle, .openFailed, .wait), (idle, .lost, .wait),
        (idle, .advanceClock(99), .wait),

        (connecting, .daemonAnswers, .browse), (connecting, .lost, .close), (connecting, .stop, .close),
        (connecting, .openFailed, .wait),
        (connecting, .start, .wait), (connecting, .advanceClock(99), .wait),

        (watching, .lost, .close), (watching, .stop, .close),
        (watching, .start, .wait), (watching, .daemonAnswers, .wait), (watching, .openFailed, .wait),
        (watching, .advanceClock(99), .wait),

        (pausing, .advanceClock(1), .open),
        (pausing, .advanceClock(0), .wait), (pausing, .stop, .wait), (pausing, .start, .wait),
        (pausing, .daemonAnswers, .wait), (pausing, .openFailed, .wait), (pausing, .lost, .wait),

        (watching + [.lost], .advanceClock(1), .open),
        (pausing + [.advanceClock(1)], .daemonAnswers, .browse),
        (watching + [.stop], .start, .open),
        (pausing + [.stop], .start, .open),
        (pausing + [.stop], .advanceClock(99), .wait),
    ]

    @Test(arguments: transitions.indices)
    func everyEventHasItsAction(index: Int) {
        let (path, event, action) = Self.transitions[index]
        var machine = MonitorMachine()
        var now = MonotonicInstant.zero
        for event in path {
            _ = Self.handle(event, by: &machine, at: &now)
        }
        #expect(Self.handle(event, by: &machine, at: &now) == action)
    }

    @Test func pausesGrowToFiveSecondsAndResetOnceWatching() {
        var machine = MonitorMachine()
        var now = MonotonicInstant.zero
        _ = machine.start()
        var pauses: [Duration] = []
        for _ in 0..<5 {
            _ = machine.openFailed(at: now)
            let deadline = machine.nextDeadline ?? now
            pauses.append(now.duration(to: deadline))
            now = deadline
            let action = machine.advance(to: now)
            #expect(action == .open)
        }
        #expect(pauses == [1, 2, 4, 5, 5].map { .seconds($0) })
        _ = machine.daemonAvailable()
        _ = machine.connectionLost(at: now)
        let deadline = machine.nextDeadline
        #expect(deadline == now.advanced(by: .seconds(1)))
    }

    private static func handle(
        _ event: Event,
        by machine: inout MonitorMachine,
        at now: inout MonotonicInstant
    ) -> MonitorMachine.Action {
        switch event {
        case .start: return machine.start()
        case .stop: return machine.stop()
        case .daemonAnswers: return machine.daemonAvailable()
        case .openFailed: return machine.openFailed(at: now)
        case .lost: return machine.connectionLost(at: now)
        case .advanceClock(let seconds):
            now = now.advanced(by: .seconds(seconds))
            return machine.advance(to: now)
        }
    }
}
