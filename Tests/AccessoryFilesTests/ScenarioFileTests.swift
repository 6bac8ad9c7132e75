import AccessoryFiles
import AccessoryModel
import Documents
import Foundation
import Simulation
import Testing
import YAMLDocuments

/// Tests scenarios as users write them.
struct ScenarioFileTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private func read(_ text: String) throws(DocumentError) -> Scenario {
        try ScenarioFile.read(Array(text.utf8), name: "test.yaml")
    }

    @Test(arguments: ["garage-day", "obstruction", "flaky-network", "power-cut", "house-week"])
    func theScenariosInTheTreeCanBeRead(name: String) throws {
        let file = Self.root.appending(path: "Config/scenarios/\(name).yaml")
        let scenario = try ScenarioFile.read([UInt8](Data(contentsOf: file)), name: file.path)
        #expect(!scenario.steps.isEmpty)
    }

    @Test(
        arguments: ["garage-day", "obstruction", "flaky-network", "power-cut", "house-week"],
        [DocumentLanguage.yaml, .json]
    )
    func scenarioSurvivesTheRoundTrip(name: String, language: DocumentLanguage) throws {
        let file = Self.root.appending(path: "Config/scenarios/\(name).yaml")
        let scenario = try ScenarioFile.read([UInt8](Data(contentsOf: file)), name: file.path)
        guard case .map(let members) = Format.scenarioFile(isDateTime: { _ in true }).write(scenario) else {
            Issue.record("a scenario is a map")
            return
        }
        let text = TextDocument.write(members, as: language, schema: "scenario.schema.json")
        let read = try ScenarioFile.read(text, name: "written.\(language == .yaml ? "yaml" : "json")")
        #expect(Self.withoutLocations(read) == Self.withoutLocations(scenario))
    }

    private static func withoutLocations(_ scenario: Scenario) -> Scenario {
        func withoutPlace(_ step: ScenarioStep) -> ScenarioStep {
            var step = step
            step.location = nil
            step.condition?.location = nil
            switch step.action {
            case .repeat(let count, let steps): step.action = .repeat(count, steps.map(withoutPlace))
            case .expect(var expectation):
                expectation.location = nil
                step.action = .expect(expectation)
            case .nothing, .perform: break
            }
            return step
        }
        var scenario = scenario
        scenario.steps = scenario.steps.map(withoutPlace)
        return scenario
    }

    @Test
    func schemaInTheRepositoryMatchesTheCode() throws {
        let file = Self.root.appending(path: "Config/scenario.schema.json")
        let schema = Format.scenarioSchema()
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(schema).write(to: file)
        }
        #expect([UInt8](try Data(contentsOf: file)) == schema, "run with HAP_WRITE_FIXTURES=1 to update it")
    }

    /// Invalid steps, each with the path of its error and a part of the message.
    private static let broken: [(step: String, path: String, words: String)] = [
        ("set: On", "steps[0].set", "the step has no value"),
        ("{ set: On, to: }", "steps[0].to", "an empty value"),
        ("{ set: On, press: Button }", "steps[0]", "a step has one action"),
        ("{ at: 5, log: Hello }", "steps[0].at", "duration"),
        ("{ at: 1s, after: 1s }", "steps[0].at", "one start time"),
        ("{ advance: 99999d }", "steps[0].advance", "ten years"),
        ("{ fault: latncy }", "steps[0].fault", "latency"),
        ("{ fault: latency, with: { delay: never } }", "steps[0].with.delay", "duration"),
        ("{ fault: latency, with: { dely: 1s } }", "steps[0].with.dely", "delay"),
        ("{ fault: latency, count: 0 }", "steps[0].count", "out of range"),
        ("{ clear: obstruction }", "steps[0].clear", "on: SERVICE"),
        ("{ press: Button, how: thrice }", "steps[0].how", "thrice"),
        ("{ stop: Door, count: 3 }", "steps[0].count", "not to \"stop\""),
        ("{ expect: { characteristic: On } }", "steps[0].expect", "becomes"),
        ("{ expect: { characteristic: On, above: high } }", "steps[0].expect.above", "number"),
        ("{ never: { characteristic: On } }", "steps[0].never", "becomes"),
        ("{ stays: { characteristic: On } }", "steps[0].stays", "value"),
        ("{ stays: { characteristic: On, value: on, within: 5s } }", "steps[0].stays.within", "for"),
        ("{ expect: { controller: sings } }", "steps[0].expect.controller", "sings"),
        ("{ expect: { event: On, controller: reads } }", "steps[0].expect", "one subject"),
        ("{ repeat: 0, steps: [pause] }", "steps[0].repeat", "out of range"),
        ("{ repeat: 2 }", "steps[0].repeat", "steps"),
        ("{ scale: 0 }", "steps[0].scale", "speed"),
        ("{ pause: no }", "steps[0].pause", "takes no value"),
        ("{ name: Nothing }", "steps[0]", "does nothing"),
        ("{ sett: On }", "steps[0].sett", "set"),
        ("wait", "steps[0]", "map"),
        ("{ repeat: 2, steps: [] }", "steps[0].steps", "no steps to repeat"),
        ("{ arrive: [Ada] }", "steps[0].arrive", "list"),
    ]

    @Test(arguments: broken.indices)
    func invalidStepIsRefusedWithItsLine(index: Int) throws {
        let (step, path, words) = Self.broken[index]
        let error = try #require(throws: DocumentError.self) {
            try read("scenario: Test\nsteps:\n  - \(step)\n")
        }
        let diagnostic = try #require(error.diagnostics.first { $0.path == path }, "\(error.diagnostics)")
        #expect(diagnostic.reason.contains(words))
        #expect(diagnostic.position?.line == 3)
    }

    @Test
    func allErrorsAreReportedAtOnce() throws {
        let error = try #require(throws: DocumentError.self) {
            try read("steps:\n  - { advance: 1 }\n  - { scale: fast }\n")
        }
        #expect(error.diagnostics.count == 3)
    }

    @Test(arguments: [
        ("", "begin with \"scenario: NAME\""), ("# Nothing\n", "begin with \"scenario: NAME\""),
        ("scenario: Test\nsteps: []\n", "has no steps"), ("scenario: Test\nsteps:\n", "expected a list"),
    ])
    func scenarioWithoutEffectIsRefused(text: String, words: String) throws {
        let error = try #require(throws: DocumentError.self) { try read(text) }
        #expect(error.diagnostics.count == 1)
        #expect(error.diagnostics.first?.reason.contains(words) == true, "\(error.diagnostics)")
    }

    @Test
    func invalidTimeIsRefusedWithItsLine() throws {
        let error = try #require(throws: DocumentError.self) {
            try read("scenario: Test\nsteps:\n  - { at: 10s, log: Late }\n  - { at: 5s, log: Early }\n")
        }
        #expect(error.diagnostics.map(\.position?.line) == [4])
    }

    @Test
    func everyKindOfStepIsParsed() throws {
        let scenario = try read(
            """
            scenario: Test
            steps:
              - pause
              - { advance: 1h 30min }
              - { resume: }
              - { press: Doorbell, how: long }
              - { fault: status, on: Garage Door, with: { code: -70402 }, count: 3, lasting: 10s }
              - { clear: obstruction, on: Garage Door }
              - { clear: faults }
              - { when: { controller: reads, of: Garage Door, within: 5s }, stop: Garage Door }
              - { expect: { event: Current Door State } }
              - { arrive: Ada }
              - { leave: Ada }
            """
        )
        #expect(scenario.steps.count == 11)
        #expect(scenario.steps.suffix(2).map(\.action) == [.perform(.arrive("Ada")), .perform(.leave("Ada"))])
        #expect(scenario.steps[1].action == .perform(.advance(.seconds(5_400))))
        #expect(scenario.steps[3].action == .perform(.command(.press(.long), on: SimulationTarget("Doorbell"))))
        #expect(scenario.steps[7].condition?.limit == .seconds(5))
        #expect(
            scenario.steps[8].action
                == .expect(
                    ScenarioExpectation(
                        .notification(SimulationTarget("Current Door State"), nil),
                        within: .seconds(60),
                        location: SourceLocation(
                            file: "test.yaml",
                            position: TextPosition(line: 11, column: 15),
                            path: "steps[8].expect"
                        )
                    )
                )
        )
    }
}
