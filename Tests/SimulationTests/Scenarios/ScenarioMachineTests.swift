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
}
