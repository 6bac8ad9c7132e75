import AccessoryFiles
import AccessoryModel
import Documents
import FuzzHarness
import HAPCore
import Simulation

/// Scenarios: any text is either refused with line numbers, or planned and performed to its end.
enum ScenarioTarget: FuzzTarget {
    static let name = "scenario"

    /// The maximum number of steps; a longer scenario is planned but not run.
    private static let longestRun = 2_000

    static var seeds: [String: [UInt8]] {
        let texts = [
            "door": """
            scenario: Out and back
            summary: A door
            steps:
              - { set: Garage Door/Target Door State, to: Open }
              - expect: { characteristic: Garage Door/Current Door State, becomes: Open, within: 15s }
              - { after: 2min, obstruct: Garage Door }
              - { at: 1h, name: Free, clear: obstruction, on: Garage Door }
              - { stop: Garage Door }
              - never: { characteristic: Garage Door/Current Door State, becomes: Open, within: 10s }
              - stays: { characteristic: Garage Door/Current Door State, value: Stopped, for: 1min }
              - log: Done
            """,
            "times": """
            scenario: Times
            seed: 18446744073709551615
            steps:
              - pause
              - { advance: 1h 30min }
              - resume
              - { pause: true }
              - { scale: 60, at: 2d 7h 30min }
              - { resume: }
              - { after: 250ms, scale: 0.001 }
              - { when: { characteristic: Brightness, below: 50, within: 3s }, log: Dark }
            """,
            "repeat": """
            scenario: Again
            steps:
              - repeat: 3
                steps:
                  - repeat: 2
                    after: 1s
                    steps: [{ set: On, to: true }, { expect: { event: On, becomes: on } }, { after: 5s }]
              - { repeat: 10000, steps: [{ repeat: 10000, steps: [{ advance: 3650d }] }] }
            """,
            "controllers": """
            scenario: Controllers
            steps:
              - expect: { controller: pairs }
              - expect: { controller: reads, of: Garage Light, within: 0s }
              - expect: { controller: writes, of: 1.9 }
              - expect: { controller: subscribes, of: Current Door State }
              - expect: { event: Current Door State, becomes: Opening }
              - { when: { controller: connects, of: Kilgo Garage }, press: Garage Light, how: double }
            """,
            "faults": """
            scenario: Faults
            steps:
              - { fault: latency, on: Garage Door, with: { delay: 2s }, count: 3, lasting: 10s }
              - { fault: status, with: { code: -70402 } }
              - { fault: reboot }
              - { clear: latency, on: Kilgo Garage }
              - { clear: faults }
            """,
            "home": """
            scenario: Week
            serve: [a.yaml, ../b.yaml]
            home: home.yaml
            start: 2026-03-02 06:00
            steps: []
            """,
            "wrong": """
            scenario: [Wrong]
            start: 2026-13-45 06:00
            steps:
              - { set: Target Dor State, to: Open, press: Button }
              - { at: 5, after: -5s, expect: { characteristic: On } }
              - { fault: latncy, with: { dely: 1s } }
              - wait
              - { at: 10s, log: 1 }
              - { at: 5s, repeat: 0, steps: [{ at: 3s }] }
            """,
            "json":
                #"{"scenario":"J","steps":[{"set":"On","to":true},{"expect":{"characteristic":"Hue","above":3.5}}]}"#,
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ input: [UInt8]) {
        let scenario: Scenario
        switch outcome({ () throws(DocumentError) in try ScenarioFile.read(input, name: "input.yaml") }) {
        case .failure(let error): return DiagnosticCheck.check(error.diagnostics, of: input)
        case .success(let read): scenario = read
        }
        for names in [SimulatedGarages.one, SimulatedGarages.several] {
            let (plan, errors) = ScenarioPlan.make(of: scenario, with: names)
            guard errors.isEmpty else {
                claim(plan.steps.isEmpty, "what is wrong is not planned")
                DiagnosticCheck.check(ScenarioFile.diagnostics(for: errors, in: "input.yaml"), of: input)
                continue
            }
            claim(plan.steps.count <= Scenario.maximumSteps, "no more happens than may")
            if plan.steps.count <= longestRun { perform(plan) }
        }
    }

    /// Performs a plan in which every action succeeds and no other event occurs; checks that it ends.
    private static func perform(_ plan: ScenarioPlan) {
        var now = MonotonicInstant.zero
        var machine = ScenarioMachine(plan, values: [:], startedAt: now)
        for _ in 0...(plan.steps.count * 4 + 4) {
            switch machine.nextInstruction(at: now) {
            case .perform(let action):
                check(action, plan.names)
                machine.didPerform(.success(""), at: now)
            case .wait(let time, _):
                claim(time > now, "what is waited for lies ahead")
                now = time
            case .finish(let result):
                claim(result.steps.count == plan.steps.count, "every step has a result")
                claim(result.steps.allSatisfy { $0.start <= $0.end }, "a step ends after it has begun")
                return
            }
        }
        fatalError("does not hold: a scenario ends")
    }

    private static func check(_ action: ResolvedAction, _ names: SimulationNames) {
        let checked = outcome { () throws(SimulationError) in
            switch action {
            case .set(.characteristic(let place), to: _): claim(names.characteristic(at: place) != nil, "it is known")
            case .set: fatalError("does not hold: what is set is a characteristic")
            case .command(let command, let object): try names.check(command, on: object)
            case .fault(let request): _ = try request.definition().effect(arguments: request.arguments)
            case .act: fatalError("does not hold: a device without a driver is not asked")
            case .clear, .advance, .pause, .resume, .scale, .log, .arrive, .leave: break
            }
        }
        if case .failure(let error) = checked {
            fatalError("does not hold: what is planned can be asked for: \(error)")
        }
    }
}
