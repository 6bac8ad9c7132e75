import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// What a scenario does at which moment.
struct ScenarioMachineTests {
    private let open = SimulationAction.set("Target Door State", to: "Open")

    @Test
    func stepsWaitForTheirMoments() throws {
        var machine = try ScenarioStage.machine([
            ScenarioStep(.act(open), moment: .at(.seconds(5))), ScenarioStep(.act(.pause), moment: .after(.seconds(2))),
        ])
        #expect(machine.next(at: .zero) == .wait(until: ScenarioStage.instant(5), forOthers: false))
        #expect(machine.next(at: ScenarioStage.instant(5)) == .perform(open))
        machine.performed(.success("done"), at: ScenarioStage.instant(6))
        #expect(machine.next(at: ScenarioStage.instant(6)) == .wait(until: ScenarioStage.instant(8), forOthers: false))
        #expect(machine.next(at: ScenarioStage.instant(9)) == .perform(.pause))
        machine.performed(.success(""), at: ScenarioStage.instant(9))
        guard case .finish(let result) = machine.next(at: ScenarioStage.instant(9)) else {
            Issue.record("It is not finished.")
            return
        }
        #expect(result.isPassed)
        #expect(result.steps.map(\.start) == [.seconds(5), .seconds(8)])
    }

    @Test
    func anExpectationIsMetByWhatHappensInTime() throws {
        var machine = try ScenarioStage.machine([ScenarioStep(.expect(ScenarioStage.becomesOpen))])
        #expect(machine.next(at: .zero) == .wait(until: ScenarioStage.instant(15), forOthers: false))
        machine.observed(.value(try ScenarioStage.place("Current Door State"), 0))
        guard case .finish(let result) = machine.next(at: ScenarioStage.instant(15)) else {
            Issue.record("It is not finished.")
            return
        }
        #expect(result.isPassed)
    }

    @Test
    func anExpectationThatIsNotMetSaysWhatWasSeenInstead() throws {
        var machine = try ScenarioStage.machine([
            ScenarioStep(.expect(ScenarioStage.becomesOpen)), ScenarioStep(.act(open)),
        ])
        _ = machine.next(at: .zero)
        for state: CharacteristicValue in [2, 4] {
            machine.observed(.value(try ScenarioStage.place("Current Door State"), state))
        }
        guard case .finish(let result) = machine.next(at: ScenarioStage.instant(15)) else {
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

    @Test
    func whatAnActionBringsAboutAtOnceCountsForTheExpectationsBehindIt() throws {
        let place = try ScenarioStage.place("Current Door State")
        let opening = ScenarioExpectation(.event("Current Door State", .equals("Opening")), within: .seconds(1))
        var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), ScenarioStep(.expect(opening))])
        #expect(machine.next(at: .zero) == .perform(open))
        machine.observed(.event(place, 2))
        machine.performed(.success(""), at: .zero)
        guard case .finish(let result) = machine.next(at: .zero) else {
            Issue.record("It still waits.")
            return
        }
        #expect(result.isPassed)
    }

    @Test
    func whatHappenedBeforeAnActionDoesNotCountBehindIt() throws {
        let place = try ScenarioStage.place("Current Door State")
        let event = ScenarioExpectation(.event("Current Door State", nil), within: .seconds(1))
        var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), ScenarioStep(.expect(event))])
        machine.observed(.event(place, 2))
        #expect(machine.next(at: .zero) == .perform(open))
        machine.performed(.success(""), at: .zero)
        #expect(machine.next(at: .zero) == .wait(until: ScenarioStage.instant(1), forOthers: true))
    }

    @Test
    func anActionThatIsRefusedFailsTheScenario() throws {
        var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), ScenarioStep(.act(.pause))])
        _ = machine.next(at: .zero)
        machine.performed(.failure(SimulationError(.refused, "It is locked.", "Unlock it.")), at: .zero)
        guard case .finish(let result) = machine.next(at: .zero) else {
            Issue.record("It goes on.")
            return
        }
        #expect(result.failure?.outcome == .failed("It is locked. Unlock it."))
    }

    @Test
    func aConditionIsWaitedForBeforeItsStep() throws {
        var machine = try ScenarioStage.machine([ScenarioStep(.act(.pause), condition: ScenarioStage.becomesOpen)])
        #expect(machine.next(at: .zero) == .wait(until: ScenarioStage.instant(15), forOthers: false))
        machine.observed(.value(try ScenarioStage.place("Current Door State"), 0))
        #expect(machine.next(at: ScenarioStage.instant(1)) == .perform(.pause))
    }

    @Test
    func repeatedStepsAreWrittenOut() throws {
        let machine = try ScenarioStage.machine([
            ScenarioStep(
                .repeat(3, [ScenarioStep(.act(open)), ScenarioStep(.repeat(2, [ScenarioStep(.act(.pause))]))])
            )
        ])
        let titles = machine.result.steps.map(\.title)
        #expect(titles.count == 9)
        #expect(titles.last == "pause (3 of 3) (2 of 2)")
    }

    // MARK: What counts for which expectation

    private static let anyEvent = ScenarioStep(
        .expect(ScenarioExpectation(.event("Current Door State", nil), within: .seconds(1)))
    )

    @Test
    func oneEventMeetsOneExpectation() throws {
        let place = try ScenarioStage.place("Current Door State")
        var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), Self.anyEvent, Self.anyEvent])
        _ = machine.next(at: .zero)
        machine.observed(.event(place, 2))
        machine.performed(.success(""), at: .zero)
        #expect(machine.next(at: .zero) == .wait(until: ScenarioStage.instant(1), forOthers: true))
        #expect(machine.endedSteps.count == 2)
        machine.observed(.event(place, 0))
        machine.observed(.event(place, 2))
        #expect(Self.isPassed(machine.next(at: .zero)) == true)
    }

    @Test
    func whatCameBeforeWhatMetAnExpectationIsOverWithIt() throws {
        let place = try ScenarioStage.place("Current Door State")
        let opened = ScenarioExpectation(.event("Current Door State", .equals("Open")), within: .seconds(1))
        var machine = try ScenarioStage.machine([
            ScenarioStep(.act(open)), ScenarioStep(.expect(opened)), Self.anyEvent,
        ])
        _ = machine.next(at: .zero)
        for state: CharacteristicValue in [2, 0] { machine.observed(.event(place, state)) }
        machine.performed(.success(""), at: .zero)
        #expect(machine.next(at: .zero) == .wait(until: ScenarioStage.instant(1), forOthers: true))
        #expect(machine.endedSteps.count == 2)
    }

    @Test(arguments: [SimulationAction.log("Hello"), .resume, .scale(2), .clear(fault: nil, on: nil)])
    func whatChangesNoDeviceLeavesWhatHappenedBefore(action: SimulationAction) throws {
        var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), ScenarioStep(.act(action)), Self.anyEvent])
        _ = machine.next(at: .zero)
        machine.observed(.event(try ScenarioStage.place("Current Door State"), 2))
        machine.performed(.success(""), at: .zero)
        #expect(machine.next(at: .zero) == .perform(action))
        machine.performed(.success(""), at: .zero)
        #expect(Self.isPassed(machine.next(at: .zero)) == true)
    }

    @Test
    func withoutTimeOnlyThePresentValueCounts() throws {
        let place = try ScenarioStage.place("Current Door State")
        func isPassed(within limit: Duration) throws -> Bool? {
            let opening = ScenarioExpectation(.value("Current Door State", .equals("Opening")), within: limit)
            var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), ScenarioStep(.expect(opening))])
            _ = machine.next(at: .zero)
            for state: CharacteristicValue in [2, 0] { machine.observed(.value(place, state)) }
            machine.performed(.success(""), at: .zero)
            return Self.isPassed(machine.next(at: .zero))
        }
        #expect(try isPassed(within: .zero) == false)
        #expect(try isPassed(within: .seconds(1)) == true)
    }

    @Test
    func aPressIsNoState() throws {
        let names = try ScenarioStage.doorbell()
        let target = SimulationTarget("Programmable Switch Event")
        let press = ScenarioStep(.act(.press("Doorbell", .single)))
        let pressed = ScenarioStep(.expect(ScenarioExpectation(.value(target, .equals("0")), within: .seconds(1))))
        var machine = try ScenarioStage.machine([press, pressed, press, pressed], names)
        _ = machine.next(at: .zero)
        machine.observed(.value(try names.characteristic(target).place, 0))
        machine.performed(.success(""), at: .zero)
        #expect(machine.next(at: .zero) == .perform(.press("Doorbell", .single)))
        machine.performed(.success(""), at: .zero)
        #expect(machine.next(at: .zero) == .wait(until: ScenarioStage.instant(1), forOthers: false))
    }

    // MARK: Moments and ends

    @Test
    func aMomentThatHasPassedFails() throws {
        let steps = [
            ScenarioStep(.expect(ScenarioStage.becomesOpen)), ScenarioStep(.act(.pause), moment: .at(.seconds(5))),
        ]
        var machine = try ScenarioStage.machine(steps)
        _ = machine.next(at: .zero)
        machine.observed(.value(try ScenarioStage.place("Current Door State"), 0))
        guard case .finish(let result) = machine.next(at: ScenarioStage.instant(12)) else {
            Issue.record("It goes on.")
            return
        }
        #expect(result.failure?.reason?.hasPrefix("\"at: 5s\" had passed: it is 12s.") == true)
        var late = try ScenarioStage.machine(steps)
        _ = late.next(at: .zero)
        late.observed(.value(try ScenarioStage.place("Current Door State"), 0))
        #expect(late.next(at: ScenarioStage.instant(5.5), lateness: .seconds(1)) == .perform(.pause))
    }

    @Test
    func whatIsInterruptedHasNeitherPassedNorFailed() throws {
        var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), ScenarioStep(.act(.pause))])
        _ = machine.next(at: .zero)
        machine.interrupt(at: ScenarioStage.instant(1))
        #expect(machine.result.steps.map(\.outcome) == [.interrupted, .skipped])
        #expect(machine.result.failure?.reason?.hasPrefix("Ended by a signal during \"set Target Door State") == true)
        #expect(!machine.result.isPassed)
    }

    @Test
    func valuesThatWereFoundCountAsThoseThatWereTold() throws {
        let place = try ScenarioStage.place("Current Door State")
        let isOpen = ScenarioExpectation(.value("Current Door State", .equals("Open")), within: .zero)
        var machine = try ScenarioStage.machine([ScenarioStep(.act(open)), ScenarioStep(.expect(isOpen))])
        _ = machine.next(at: .zero)
        machine.found([place: 0])
        machine.performed(.success(""), at: .zero)
        #expect(Self.isPassed(machine.next(at: .zero)) == true)
    }

    // MARK: Plans

    @Test
    func aRepetitionIsCalledByItsName() throws {
        let machine = try ScenarioStage.machine([
            ScenarioStep(.repeat(2, [ScenarioStep(.act(.pause))]), name: "Day", moment: .after(.seconds(1)))
        ])
        #expect(machine.result.steps.map(\.title) == ["Day", "pause (Day 1 of 2)", "pause (Day 2 of 2)"])
    }

    @Test
    func soManyMistakesAreTold() throws {
        let steps = (0..<1_000).map { ScenarioStep(.act(.stop(SimulationTarget("Nothing \($0)")))) }
        let (plan, mistakes) = ScenarioPlan.make(
            of: Scenario(name: "Test", steps: steps),
            with: try ScenarioStage.names()
        )
        #expect(mistakes.count == 100)
        #expect(plan.steps.isEmpty)
    }

    private static func isPassed(_ instruction: ScenarioInstruction) -> Bool? {
        if case .finish(let result) = instruction { result.isPassed } else { nil }
    }
}
