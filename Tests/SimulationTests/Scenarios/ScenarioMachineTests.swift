import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// The actions of a scenario and their times.
struct ScenarioMachineTests {
    private let open = WrittenAction.set("Target Door State", to: "Open")

    /// Returns the instruction to perform an action.
    private static func performing(
        _ action: WrittenAction,
        _ names: SimulationNames? = nil
    ) throws -> ScenarioInstruction {
        .perform(try (names ?? ScenarioServers.names()).resolve(action))
    }

    @Test
    func stepsWaitForTheirTimes() throws {
        var machine = try ScenarioServers.machine([
            ScenarioStep(.perform(open), timing: .at(.seconds(5))),
            ScenarioStep(.perform(.pause), timing: .after(.seconds(2))),
        ])
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(5), isExternal: false))
        #expect(try machine.nextInstruction(at: ScenarioServers.instant(5)) == Self.performing(open))
        machine.didPerform(.success("done"), at: ScenarioServers.instant(6))
        #expect(
            machine.nextInstruction(at: ScenarioServers.instant(6))
                == .wait(until: ScenarioServers.instant(8), isExternal: false)
        )
        #expect(machine.nextInstruction(at: ScenarioServers.instant(9)) == .perform(.pause))
        machine.didPerform(.success(""), at: ScenarioServers.instant(9))
        guard case .finish(let result) = machine.nextInstruction(at: ScenarioServers.instant(9)) else {
            Issue.record("It is not finished.")
            return
        }
        #expect(result.isPassed)
        #expect(result.steps.map(\.start) == [.seconds(5), .seconds(8)])
    }

    @Test
    func anExpectationIsMetByAnEventInTime() throws {
        var machine = try ScenarioServers.machine([ScenarioStep(.expect(ScenarioServers.becomesOpen))])
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(15), isExternal: false))
        machine.observe(.value(try ScenarioServers.characteristicID("Current Door State"), 0))
        guard case .finish(let result) = machine.nextInstruction(at: ScenarioServers.instant(15)) else {
            Issue.record("It is not finished.")
            return
        }
        #expect(result.isPassed)
    }

    @Test
    func anUnmetExpectationReportsWhatWasSeen() throws {
        var machine = try ScenarioServers.machine([
            ScenarioStep(.expect(ScenarioServers.becomesOpen)), ScenarioStep(.perform(open)),
        ])
        _ = machine.nextInstruction(at: .zero)
        for state: CharacteristicValue in [2, 4] {
            machine.observe(.value(try ScenarioServers.characteristicID("Current Door State"), state))
        }
        guard case .finish(let result) = machine.nextInstruction(at: ScenarioServers.instant(15)) else {
            Issue.record("It is not finished.")
            return
        }
        #expect(!result.isPassed)
        #expect(result.steps[1].outcome == .skipped)
        guard case .failed(let reason) = result.steps[0].outcome else { return }
        #expect(reason.contains("is Stopped"))
        #expect(reason.contains("Opening, then Stopped"))
        #expect(reason.contains("15s"))
    }

    // MARK: Events that must not occur

    private static let neverOpen = ScenarioExpectation(
        .value("Current Door State", .equals("Open")),
        within: .seconds(15),
        isForbidden: true
    )
    private static let staysClosed = ScenarioExpectation(
        .value("Current Door State", .differs(from: "Closed")),
        within: .seconds(15),
        isForbidden: true
    )

    @Test(arguments: [neverOpen, staysClosed])
    func aForbiddenEventFailsItsStepAtOnce(expectation: ScenarioExpectation) throws {
        var machine = try ScenarioServers.machine([ScenarioStep(.expect(expectation))])
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(15), isExternal: false))
        machine.observe(.value(try ScenarioServers.characteristicID("Current Door State"), 0))
        guard case .finish(let result) = machine.nextInstruction(at: ScenarioServers.instant(3)) else {
            Issue.record("It still waits.")
            return
        }
        let reason = try #require(result.failure?.reason)
        #expect(reason.hasPrefix("Expected for 15s: "), "\(reason)")
        #expect(reason.contains("Current Door State is Open."), "\(reason)")
        #expect(result.steps[0].end == .seconds(3))
    }

    @Test(arguments: [neverOpen, staysClosed])
    func aForbiddenEventIsWaitedForDuringTheWholeTime(expectation: ScenarioExpectation) throws {
        var machine = try ScenarioServers.machine([ScenarioStep(.expect(expectation))])
        _ = machine.nextInstruction(at: .zero)
        // The same value again is no change.
        machine.observe(.value(try ScenarioServers.characteristicID("Current Door State"), 1))
        let waiting = machine.nextInstruction(at: ScenarioServers.instant(14))
        #expect(waiting == .wait(until: ScenarioServers.instant(15), isExternal: false))
        guard case .finish(let result) = machine.nextInstruction(at: ScenarioServers.instant(15)) else {
            Issue.record("It still waits.")
            return
        }
        #expect(result.isPassed)
    }

    @Test
    func aValueThatIsAlreadyForbiddenFailsItsStep() throws {
        for (test, text) in [
            (ValueTest.equals("Closed"), "never becomes Closed"), (.differs(from: "Open"), "stays Open"),
        ] {
            let expectation = ScenarioExpectation(
                .value("Current Door State", test),
                within: .zero,
                isForbidden: true
            )
            var machine = try ScenarioServers.machine([ScenarioStep(.expect(expectation))])
            guard case .finish(let result) = machine.nextInstruction(at: .zero) else {
                Issue.record("It waits.")
                return
            }
            let expected = "Expected for 0s: Current Door State \(text). Seen instead: "
            #expect(result.failure?.reason?.hasPrefix(expected) == true, "\(result)")
            #expect(result.failure?.title == "expect Current Door State \(text)")
        }
    }

    @Test
    func eventsBeforeAForbiddenOneDoNotCount() throws {
        let place = try ScenarioServers.characteristicID("Current Door State")
        let notified = ScenarioExpectation(
            .notification("Current Door State", nil),
            within: .seconds(1),
            isForbidden: true
        )
        let never = ScenarioExpectation(
            .value("Current Door State", .equals("Opening")),
            within: .seconds(1),
            isForbidden: true
        )
        var machine = try ScenarioServers.machine([
            ScenarioStep(.perform(open)), ScenarioStep(.expect(never)), ScenarioStep(.expect(notified)),
        ])
        _ = machine.nextInstruction(at: .zero)
        for event: ScenarioEvent in [.value(place, 2), .notification(place, 2), .value(place, 0)] {
            machine.observe(event)
        }
        machine.didPerform(.success(""), at: .zero)
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(1), isExternal: false))
        let second = machine.nextInstruction(at: ScenarioServers.instant(1))
        #expect(second == .wait(until: ScenarioServers.instant(2), isExternal: true))
        machine.observe(.notification(place, 0))
        guard case .finish(let result) = machine.nextInstruction(at: ScenarioServers.instant(1)) else {
            Issue.record("It still waits.")
            return
        }
        #expect(result.steps.map(\.reason?.isEmpty) == [nil, nil, false])
    }

    @Test
    func aButtonHasNoValueThatStays() throws {
        let expectation = ScenarioExpectation(
            .value("Programmable Switch Event", .differs(from: "Single Press")),
            within: .seconds(1),
            isForbidden: true
        )
        #expect(throws: ScenarioError.self) {
            try ScenarioServers.machine([ScenarioStep(.expect(expectation))], try ScenarioServers.doorbell())
        }
    }

    @Test
    func immediateEffectsCountForLaterExpectations() throws {
        let place = try ScenarioServers.characteristicID("Current Door State")
        let opening = ScenarioExpectation(.notification("Current Door State", .equals("Opening")), within: .seconds(1))
        var machine = try ScenarioServers.machine([ScenarioStep(.perform(open)), ScenarioStep(.expect(opening))])
        #expect(try machine.nextInstruction(at: .zero) == Self.performing(open))
        machine.observe(.notification(place, 2))
        machine.didPerform(.success(""), at: .zero)
        guard case .finish(let result) = machine.nextInstruction(at: .zero) else {
            Issue.record("It still waits.")
            return
        }
        #expect(result.isPassed)
    }

    @Test
    func eventsBeforeAnActionDoNotCountAfterIt() throws {
        let place = try ScenarioServers.characteristicID("Current Door State")
        let event = ScenarioExpectation(.notification("Current Door State", nil), within: .seconds(1))
        var machine = try ScenarioServers.machine([ScenarioStep(.perform(open)), ScenarioStep(.expect(event))])
        machine.observe(.notification(place, 2))
        #expect(try machine.nextInstruction(at: .zero) == Self.performing(open))
        machine.didPerform(.success(""), at: .zero)
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(1), isExternal: true))
    }

    @Test
    func aRefusedActionFailsTheScenario() throws {
        var machine = try ScenarioServers.machine([ScenarioStep(.perform(open)), ScenarioStep(.perform(.pause))])
        _ = machine.nextInstruction(at: .zero)
        machine.didPerform(.failure(SimulationError(.refused, "It is locked.", "Unlock it.")), at: .zero)
        guard case .finish(let result) = machine.nextInstruction(at: .zero) else {
            Issue.record("It goes on.")
            return
        }
        #expect(result.failure?.outcome == .failed("It is locked. Unlock it."))
    }

    @Test
    func aConditionIsWaitedForBeforeItsStep() throws {
        var machine = try ScenarioServers.machine([
            ScenarioStep(.perform(.pause), condition: ScenarioServers.becomesOpen)
        ])
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(15), isExternal: false))
        machine.observe(.value(try ScenarioServers.characteristicID("Current Door State"), 0))
        #expect(machine.nextInstruction(at: ScenarioServers.instant(1)) == .perform(.pause))
    }

    @Test
    func repeatedStepsAreExpanded() throws {
        let machine = try ScenarioServers.machine([
            ScenarioStep(
                .repeat(3, [ScenarioStep(.perform(open)), ScenarioStep(.repeat(2, [ScenarioStep(.perform(.pause))]))])
            )
        ])
        let titles = machine.result.steps.map(\.title)
        #expect(titles.count == 9)
        #expect(titles.last == "pause (3 of 3) (2 of 2)")
    }

    // MARK: Events that meet expectations

    private static let anyEvent = ScenarioStep(
        .expect(ScenarioExpectation(.notification("Current Door State", nil), within: .seconds(1)))
    )

    @Test
    func oneEventMeetsOneExpectation() throws {
        let place = try ScenarioServers.characteristicID("Current Door State")
        var machine = try ScenarioServers.machine([ScenarioStep(.perform(open)), Self.anyEvent, Self.anyEvent])
        _ = machine.nextInstruction(at: .zero)
        machine.observe(.notification(place, 2))
        machine.didPerform(.success(""), at: .zero)
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(1), isExternal: true))
        #expect(machine.finishedSteps.count == 2)
        machine.observe(.notification(place, 0))
        machine.observe(.notification(place, 2))
        #expect(Self.isPassed(machine.nextInstruction(at: .zero)) == true)
    }

    @Test
    func eventsBeforeTheMatchAreDiscarded() throws {
        let place = try ScenarioServers.characteristicID("Current Door State")
        let opened = ScenarioExpectation(.notification("Current Door State", .equals("Open")), within: .seconds(1))
        var machine = try ScenarioServers.machine([
            ScenarioStep(.perform(open)), ScenarioStep(.expect(opened)), Self.anyEvent,
        ])
        _ = machine.nextInstruction(at: .zero)
        for state: CharacteristicValue in [2, 0] { machine.observe(.notification(place, state)) }
        machine.didPerform(.success(""), at: .zero)
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(1), isExternal: true))
        #expect(machine.finishedSteps.count == 2)
    }

    @Test(arguments: [WrittenAction.log("Hello"), .resume, .scale(2), .clear(fault: nil, on: nil)])
    func actionsThatChangeNoDeviceKeepEarlierEvents(action: WrittenAction) throws {
        var machine = try ScenarioServers.machine([
            ScenarioStep(.perform(open)), ScenarioStep(.perform(action)), Self.anyEvent,
        ])
        _ = machine.nextInstruction(at: .zero)
        machine.observe(.notification(try ScenarioServers.characteristicID("Current Door State"), 2))
        machine.didPerform(.success(""), at: .zero)
        #expect(try machine.nextInstruction(at: .zero) == Self.performing(action))
        machine.didPerform(.success(""), at: .zero)
        #expect(Self.isPassed(machine.nextInstruction(at: .zero)) == true)
    }

    @Test
    func aZeroTimeLimitChecksOnlyTheCurrentValue() throws {
        let place = try ScenarioServers.characteristicID("Current Door State")
        func isPassed(within limit: Duration) throws -> Bool? {
            let opening = ScenarioExpectation(.value("Current Door State", .equals("Opening")), within: limit)
            var machine = try ScenarioServers.machine([ScenarioStep(.perform(open)), ScenarioStep(.expect(opening))])
            _ = machine.nextInstruction(at: .zero)
            for state: CharacteristicValue in [2, 0] { machine.observe(.value(place, state)) }
            machine.didPerform(.success(""), at: .zero)
            return Self.isPassed(machine.nextInstruction(at: .zero))
        }
        #expect(try isPassed(within: .zero) == false)
        #expect(try isPassed(within: .seconds(1)) == true)
    }

    @Test
    func aPressIsNotAState() throws {
        let names = try ScenarioServers.doorbell()
        let target = SimulationTarget("Programmable Switch Event")
        let press = WrittenAction.command(.press(.single), on: "Doorbell")
        let pressed = ScenarioStep(.expect(ScenarioExpectation(.value(target, .equals("0")), within: .seconds(1))))
        var machine = try ScenarioServers.machine(
            [ScenarioStep(.perform(press)), pressed, ScenarioStep(.perform(press)), pressed],
            names
        )
        _ = machine.nextInstruction(at: .zero)
        machine.observe(.value(try names.characteristic(target).place, 0))
        machine.didPerform(.success(""), at: .zero)
        #expect(try machine.nextInstruction(at: .zero) == Self.performing(press, names))
        machine.didPerform(.success(""), at: .zero)
        #expect(machine.nextInstruction(at: .zero) == .wait(until: ScenarioServers.instant(1), isExternal: false))
    }

    // MARK: Moments and ends

    @Test
    func aPastTimeFails() throws {
        let steps = [
            ScenarioStep(.expect(ScenarioServers.becomesOpen)),
            ScenarioStep(.perform(.pause), timing: .at(.seconds(5))),
        ]
        var machine = try ScenarioServers.machine(steps)
        _ = machine.nextInstruction(at: .zero)
        machine.observe(.value(try ScenarioServers.characteristicID("Current Door State"), 0))
        guard case .finish(let result) = machine.nextInstruction(at: ScenarioServers.instant(12)) else {
            Issue.record("It goes on.")
            return
        }
        #expect(result.failure?.reason?.hasPrefix("\"at: 5s\" was missed: it is already 12s.") == true)
        var late = try ScenarioServers.machine(steps)
        _ = late.nextInstruction(at: .zero)
        late.observe(.value(try ScenarioServers.characteristicID("Current Door State"), 0))
        #expect(late.nextInstruction(at: ScenarioServers.instant(5.5), lateness: .seconds(1)) == .perform(.pause))
    }

    @Test
    func anInterruptedScenarioHasNeitherPassedNorFailed() throws {
        var machine = try ScenarioServers.machine([ScenarioStep(.perform(open)), ScenarioStep(.perform(.pause))])
        _ = machine.nextInstruction(at: .zero)
        machine.interrupt(at: ScenarioServers.instant(1))
        #expect(machine.result.steps.map(\.outcome) == [.interrupted, .skipped])
        #expect(machine.result.failure?.reason?.hasPrefix("Ended by a signal during \"set Target Door State") == true)
        #expect(!machine.result.isPassed)
    }

    @Test
    func valuesReadAfterAnActionCountLikeReportedOnes() throws {
        let place = try ScenarioServers.characteristicID("Current Door State")
        let isOpen = ScenarioExpectation(.value("Current Door State", .equals("Open")), within: .zero)
        var machine = try ScenarioServers.machine([ScenarioStep(.perform(open)), ScenarioStep(.expect(isOpen))])
        _ = machine.nextInstruction(at: .zero)
        machine.setValues([place: 0])
        machine.didPerform(.success(""), at: .zero)
        #expect(Self.isPassed(machine.nextInstruction(at: .zero)) == true)
    }

    // MARK: Plans

    @Test
    func aRepetitionIsReportedByItsName() throws {
        let machine = try ScenarioServers.machine([
            ScenarioStep(.repeat(2, [ScenarioStep(.perform(.pause))]), name: "Day", timing: .after(.seconds(1)))
        ])
        #expect(machine.result.steps.map(\.title) == ["Day", "pause (Day 1 of 2)", "pause (Day 2 of 2)"])
    }

    @Test
    func theNumberOfErrorsIsLimited() throws {
        let steps = (0..<1_000).map { ScenarioStep(.perform(.command(.stop, on: SimulationTarget("Nothing \($0)")))) }
        let (plan, errors) = ScenarioPlan.make(
            of: Scenario(name: "Test", steps: steps),
            with: try ScenarioServers.names()
        )
        #expect(errors.count == 100)
        #expect(plan.steps.isEmpty)
    }

    private static func isPassed(_ instruction: ScenarioInstruction) -> Bool? {
        if case .finish(let result) = instruction { result.isPassed } else { nil }
    }
}
