import Discovery
import HAPCore
import Testing

private let plain = record()
private let renamed = record(named: "Shed")
private let moved = record(port: 2)
private let paired = record(isPaired: true)

private let idle: [MachineEvent] = []
private let registering: [MachineEvent] = [.start]
private let advertised: [MachineEvent] = [.start, .confirmed("Garage")]
private let replacing = advertised + [.update(moved)]
private let unseen = advertised + [.missed(.notFound)]
private let retryingUnseen = unseen + [.advanceClock(1), .withdrawn]
private let unseenAgain = retryingUnseen + [.confirmed("Garage")]
private let retreating = advertised + [.failed(.noDaemon)]
private let pausing: [MachineEvent] = [.start, .failedAtOnce(.noDaemon)]
private let retrying = pausing + [.advanceClock(1)]
private let hiding = advertised + [.withdraw]
private let hidden = hiding + [.withdrawn]
private let stopping = advertised + [.stop]
private let stopped: [MachineEvent] = [.stop]
private let allNamesTaken = registering + Array(repeating: MachineEvent.failedAtOnce(.nameTaken), count: 99)

/// An event that, after other events, leads to an action and a visible state.
struct Transition: Sendable {
    let path: [MachineEvent]
    let event: MachineEvent
    let action: AdvertiserMachine.Action
    let state: AdvertiserState

    init(
        _ path: [MachineEvent],
        _ event: MachineEvent,
        _ action: AdvertiserMachine.Action,
        _ state: AdvertiserState
    ) {
        self.path = path
        self.event = event
        self.action = action
        self.state = state
    }
}

struct AdvertiserMachineTests {
    @Test(arguments: [
        Transition(idle, .start, .register(plain), .registering),
        Transition(idle, .stop, .finish, .stopped),

        Transition(registering, .update(paired), .wait, .registering),
        Transition(registering, .update(moved), .withdraw, .registering),
        Transition(registering, .confirmed("Garage"), .wait, .advertised(name: "Garage", requested: "Garage")),
        Transition(registering, .confirmed("Garage #2"), .wait, .advertised(name: "Garage #2", requested: "Garage")),
        Transition(registering, .failedAtOnce(.noDaemon), .wait, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(registering, .failedAtOnce(.nameTaken), .register(record(named: "Garage 2")), .registering),
        Transition(registering, .failed(.noDaemon), .withdraw, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(registering, .failed(.nameTaken), .withdraw, .registering),
        Transition(registering, .advanceClock(29), .wait, .registering),
        Transition(registering, .advanceClock(30), .withdraw, .unavailable(.noResponse, retryIn: .seconds(1))),
        Transition(registering, .stop, .withdraw, .withdrawing),

        Transition(advertised, .start, .wait, .advertised(name: "Garage", requested: "Garage")),
        Transition(advertised, .update(plain), .wait, .advertised(name: "Garage", requested: "Garage")),
        Transition(
            advertised,
            .update(paired),
            .updateText(paired.text),
            .advertised(name: "Garage", requested: "Garage")
        ),
        Transition(advertised, .update(moved), .withdraw, .registering),
        Transition(advertised, .update(renamed), .withdraw, .registering),
        Transition(advertised, .confirmed("Garage #3"), .wait, .advertised(name: "Garage #3", requested: "Garage")),
        Transition(advertised, .failed(.noDaemon), .withdraw, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(advertised, .failed(.nameTaken), .withdraw, .registering),
        Transition(advertised, .stop, .withdraw, .withdrawing),

        Transition(advertised, .missed(.notFound), .wait, .unavailable(.notFound, retryIn: .seconds(1))),
        Transition(advertised, .missed(.noDaemon), .wait, .unavailable(.noDaemon, retryIn: .seconds(1))),

        Transition(unseen, .found, .wait, .advertised(name: "Garage", requested: "Garage")),
        Transition(unseen, .confirmed("Garage #2"), .wait, .unavailable(.notFound, retryIn: .seconds(1))),
        Transition(unseen, .update(paired), .updateText(paired.text), .unavailable(.notFound, retryIn: .seconds(1))),
        Transition(unseen, .update(moved), .withdraw, .unavailable(.notFound, retryIn: .seconds(1))),
        Transition(unseen, .failed(.noDaemon), .withdraw, .unavailable(.noDaemon, retryIn: .seconds(2))),
        Transition(unseen, .failed(.nameTaken), .withdraw, .unavailable(.notFound, retryIn: .seconds(1))),
        Transition(unseen, .advanceClock(1), .withdraw, .unavailable(.notFound, retryIn: .seconds(1))),
        Transition(unseen, .stop, .withdraw, .withdrawing),
        Transition(retryingUnseen, .confirmed("Garage"), .wait, .unavailable(.notFound, retryIn: .seconds(1))),
        Transition(retryingUnseen, .failedAtOnce(.noBus), .wait, .unavailable(.noBus, retryIn: .seconds(2))),
        Transition(unseenAgain, .found, .wait, .advertised(name: "Garage", requested: "Garage")),
        Transition(unseenAgain, .missed(.recordMismatch), .wait, .unavailable(.recordMismatch, retryIn: .seconds(2))),
        Transition(unseenAgain, .stop, .withdraw, .withdrawing),

        Transition(replacing, .withdrawn, .register(moved), .registering),
        Transition(replacing, .update(renamed), .wait, .registering),
        Transition(replacing, .stop, .wait, .withdrawing),

        Transition(retreating, .withdrawn, .wait, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(retreating, .update(moved), .wait, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(retreating, .stop, .wait, .withdrawing),

        Transition(pausing, .update(moved), .wait, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(pausing, .advanceClock(0), .wait, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(pausing, .advanceClock(1), .register(plain), .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(pausing, .daemonResponded, .register(plain), .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(pausing, .stop, .finish, .stopped),

        Transition(retrying, .confirmed("Garage"), .wait, .advertised(name: "Garage", requested: "Garage")),
        Transition(retrying, .failedAtOnce(.noBus), .wait, .unavailable(.noBus, retryIn: .seconds(2))),
        Transition(retrying, .update(moved), .withdraw, .unavailable(.noDaemon, retryIn: .seconds(1))),
        Transition(retrying, .advanceClock(31), .withdraw, .unavailable(.noResponse, retryIn: .seconds(2))),

        Transition(registering, .withdraw, .withdraw, .withdrawing),
        Transition(advertised, .withdraw, .withdraw, .withdrawing),
        Transition(unseen, .withdraw, .withdraw, .withdrawing),
        Transition(replacing, .withdraw, .wait, .withdrawing),
        Transition(retreating, .withdraw, .wait, .withdrawing),
        Transition(pausing, .withdraw, .wait, .idle),
        Transition(hiding, .withdrawn, .wait, .idle),
        Transition(hiding, .update(paired), .wait, .registering),
        Transition(hiding + [.update(paired)], .withdrawn, .register(paired), .registering),
        Transition(hiding, .stop, .wait, .withdrawing),
        Transition(hidden, .update(moved), .withdraw, .registering),
        Transition(hidden + [.update(moved)], .withdrawn, .register(moved), .registering),
        Transition(hidden, .start, .withdraw, .registering),
        Transition(hidden, .stop, .finish, .stopped),

        Transition(stopping, .withdrawn, .finish, .stopped),
        Transition(stopping, .start, .wait, .withdrawing),
        Transition(stopped, .start, .wait, .stopped),
        Transition(stopped, .stop, .finish, .stopped),
    ])
    func everyEventHasItsActionAndState(transition: Transition) {
        var machine = ClockedMachine(record: plain, after: transition.path)
        let action = machine.handle(transition.event)
        let state = machine.state
        #expect(action == transition.action)
        #expect(state == transition.state)
    }

    @Test(
        arguments: [
            (
                idle,
                [
                    .update(paired), .withdraw, .confirmed("X"), .failed(.noDaemon), .failedAtOnce(.noDaemon),
                    .withdrawn, .advanceClock(100), .found, .missed(.notFound), .daemonResponded,
                ]
            ),
            (registering, [.start, .withdrawn, .found, .missed(.notFound), .daemonResponded]),
            (advertised, [.withdrawn, .failedAtOnce(.noDaemon), .advanceClock(100), .found, .daemonResponded]),
            (unseen, [.start, .withdrawn, .failedAtOnce(.noDaemon), .missed(.noDaemon), .daemonResponded]),
            (unseenAgain, [.advanceClock(100)]),
            (
                hidden,
                [
                    .withdraw, .confirmed("X"), .failed(.noDaemon), .failedAtOnce(.noDaemon), .withdrawn,
                    .advanceClock(100),
                    .found, .missed(.notFound), .daemonResponded,
                ]
            ),
            (
                replacing,
                [
                    .start, .confirmed("X"), .failed(.noDaemon), .failedAtOnce(.noDaemon), .advanceClock(100), .found,
                    .missed(.notFound), .daemonResponded,
                ]
            ),
            (
                retreating,
                [
                    .start, .confirmed("X"), .failed(.noBus), .failedAtOnce(.noBus), .advanceClock(100), .found,
                    .missed(.notFound), .daemonResponded,
                ]
            ),
            (
                pausing,
                [
                    .start, .confirmed("X"), .failed(.noBus), .failedAtOnce(.noBus), .withdrawn, .found,
                    .missed(.notFound),
                ]
            ),
            (
                stopping,
                [
                    .update(moved), .stop, .confirmed("X"), .failed(.noBus), .failedAtOnce(.noBus), .advanceClock(100),
                    .found, .missed(.notFound), .daemonResponded,
                ]
            ),
            (
                stopped,
                [
                    .update(moved), .confirmed("X"), .failed(.noBus), .failedAtOnce(.noBus), .withdrawn,
                    .advanceClock(100),
                    .found, .missed(.notFound), .daemonResponded,
                ]
            ),
        ] as [([MachineEvent], [MachineEvent])]
    )
    func untimelyEventsChangeNothing(path: [MachineEvent], events: [MachineEvent]) {
        for event in events {
            var machine = ClockedMachine(record: plain, after: path)
            let before = machine.state
            let action = machine.handle(event)
            let after = machine.state
            #expect(action == .wait, "\(event)")
            #expect(after == before, "\(event)")
        }
    }

    @Test func textChangedWhileRegisteringIsUpdatedAfterConfirmation() {
        var machine = ClockedMachine(record: plain, after: registering + [.update(paired)])
        let action = machine.handle(.confirmed("Garage"))
        #expect(action == .updateText(paired.text))
        let again = machine.handle(.update(paired))
        #expect(again == .wait)
    }

    @Test func textChangedBackWhileRegisteringNeedsNoUpdate() {
        var machine = ClockedMachine(record: plain, after: registering + [.update(paired), .update(plain)])
        let action = machine.handle(.confirmed("Garage"))
        #expect(action == .wait)
    }

    @Test func theLatestRecordIsRegisteredAfterAnOutage() {
        var machine = ClockedMachine(record: plain, after: pausing + [.update(paired), .update(moved)])
        let action = machine.handle(.advanceClock(1))
        #expect(action == .register(moved))
    }

    @Test func pausesGrowTo30SecondsAndResetOnceAdvertised() {
        var machine = ClockedMachine(record: plain, after: [.start])
        var clock = 0
        var pauses: [Int64] = []
        for _ in 0..<8 {
            _ = machine.handle(.failedAtOnce(.noDaemon))
            let pause = machine.pause ?? 0
            pauses.append(pause)
            clock += Int(pause)
            let action = machine.handle(.advanceClock(clock))
            #expect(action == .register(plain))
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30])

        for event in [MachineEvent.confirmed("Garage"), .failed(.noDaemon), .withdrawn] {
            _ = machine.handle(event)
        }
        let pause = machine.pause
        #expect(pause == 1)
    }

    @Test func daemonFailuresOfAllKindsAreCountedTogether() {
        var machine = ClockedMachine(record: plain, after: retrying + [.failed(.limit)])
        let state = machine.state
        #expect(state == .unavailable(.limit, retryIn: .seconds(2)))
        _ = machine.handle(.withdrawn)
        let pause = machine.pause
        #expect(pause == 2)
    }

    @Test func earlyWakeUpChangesNothing() {
        var machine = ClockedMachine(record: plain, after: retrying + [.failedAtOnce(.noDaemon)])
        let early = machine.handle(.advanceClock(2))
        let late = machine.handle(.advanceClock(3))
        #expect(early == .wait)
        #expect(late == .register(plain))
    }

    @Test func takenNameGetsTheNextNumberUntilOneIsFree() {
        var machine = ClockedMachine(record: plain, after: [.start])
        for number in 2...99 {
            let action = machine.handle(.failedAtOnce(.nameTaken))
            #expect(action == .register(record(named: "Garage \(number)")))
        }
        let last = machine.handle(.failedAtOnce(.nameTaken))
        let state = machine.state
        #expect(last == .wait)
        #expect(state == .unavailable(.nameTaken, retryIn: .seconds(1)))

        let next = machine.handle(.advanceClock(1))
        #expect(next == .register(plain), "after the pause, the requested name is tried first")
    }

    @Test func nameTakenLaterIsWithdrawnBeforeTheNextIsTried() {
        var machine = ClockedMachine(record: plain, after: advertised + [.failed(.nameTaken)])
        let action = machine.handle(.withdrawn)
        #expect(action == .register(record(named: "Garage 2")))
    }

    @Test func numberSurvivesAnOutageAndIsDroppedWithTheName() {
        let path: [MachineEvent] = [.start, .failedAtOnce(.nameTaken), .confirmed("Garage 2"), .failed(.noDaemon)]
        var stored = ClockedMachine(record: plain, after: path + [.withdrawn])
        let action = stored.handle(.advanceClock(1))
        #expect(action == .register(record(named: "Garage 2")))

        var other = ClockedMachine(record: plain, after: path + [.update(renamed), .withdrawn])
        let renamedAction = other.handle(.advanceClock(1))
        #expect(renamedAction == .register(renamed))
    }

    @Test func serviceThatIsNeverFoundIsReregisteredWithGrowingPauses() {
        var machine = ClockedMachine(record: plain, after: advertised)
        var clock = 0
        var pauses: [Int64] = []
        for _ in 0..<7 {
            _ = machine.handle(.missed(.notFound))
            let pause = machine.pause ?? 0
            pauses.append(pause)
            clock += Int(pause)
            let actions = [.advanceClock(clock), .withdrawn, .confirmed("Garage")].map { machine.handle($0) }
            #expect(actions == [.withdraw, .register(plain), .wait])
            let pauseAfterwards = machine.pause
            #expect(pauseAfterwards == nil, "the machine waits for the check to find the service")
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30])

        for event in [MachineEvent.found, .missed(.notFound)] {
            _ = machine.handle(event)
        }
        let pause = machine.pause
        #expect(pause == 1)
    }

    @Test(arguments: [
        (DiscoveryError.noBus, true), (.noDaemon, true), (.noResponse, true), (.limit, false), (.noDescriptors, false),
        (.nameTaken, false), (DiscoveryError(.refused, reason: "", remedy: ""), false),
    ])
    func returningDaemonEndsPausesCausedByItsAbsence(error: DiscoveryError, ends: Bool) {
        let path: [MachineEvent] = advertised + [.failed(error), .withdrawn]
        var machine = ClockedMachine(record: plain, after: error.code == .nameTaken ? allNamesTaken : path)
        let action = machine.handle(.daemonResponded)
        #expect(action == (ends ? .register(plain) : .wait))
    }

    @Test func daemonChosenNameIsReportedAndSurvivesAnOutage() {
        let path: [MachineEvent] = [.start, .confirmed("Garage #2")]
        var machine = ClockedMachine(record: plain, after: path)
        let state = machine.state
        #expect(state == .advertised(name: "Garage #2", requested: "Garage"))
        #expect(state.description == "advertised as Garage #2, since another service is called Garage")
        for event in [MachineEvent.failed(.noDaemon), .withdrawn] {
            _ = machine.handle(event)
        }
        let action = machine.handle(.daemonResponded)
        #expect(action == .register(record(named: "Garage #2")))
    }

    @Test(
        arguments: [
            (advertised, PublishedService(name: "Garage", port: 1, text: plain.text), false),
            (advertised + [.update(paired)], PublishedService(name: "Garage", port: 1, text: paired.text), false),
            (
                registering + [.update(paired), .confirmed("Shed")],
                PublishedService(name: "Shed", port: 1, text: paired.text), false
            ),
            (unseen, PublishedService(name: "Garage", port: 1, text: plain.text), true),
            (unseenAgain, PublishedService(name: "Garage", port: 1, text: plain.text), true),
            (registering, nil, false), (replacing, nil, false), (retreating, nil, false), (pausing, nil, false),
            (stopping, nil, false), (stopped, nil, false),
        ] as [([MachineEvent], PublishedService?, Bool)]
    )
    func onlyConfirmedRecordsAreExpectedOnTheNetwork(path: [MachineEvent], service: PublishedService?, isDoubted: Bool)
    {
        let machine = ClockedMachine(record: plain, after: path)
        #expect(machine.published == service)
        #expect(machine.awaitsObservation == isDoubted)
    }

    @Test(arguments: [idle, registering, advertised, unseen, unseenAgain, replacing, retreating, pausing, retrying])
    func stopFinishesWithinOneWithdrawalFromEveryState(path: [MachineEvent]) {
        var machine = ClockedMachine(record: plain, after: path)
        if machine.handle(.stop) != .finish {
            let action = machine.handle(.withdrawn)
            #expect(action == .finish)
        }
        let state = machine.state
        let pause = machine.pause
        #expect(state == .stopped)
        #expect(pause == nil)
    }
}

private func record(named name: String = "Garage", port: UInt16 = 1, isPaired: Bool = false) -> ServiceRecord {
    var text = TXTRecord()
    text.append("sf", isPaired ? "0" : "1")
    return ServiceRecord(name: InstanceName(name), port: port, text: text)
}
