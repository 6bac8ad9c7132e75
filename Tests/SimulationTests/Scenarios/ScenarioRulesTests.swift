import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// Scenarios with impossible times or with too many steps.
struct ScenarioRulesTests {
    private static let wait = ScenarioStep(timing: .after(.seconds(10)))

    private static let impossible: [(String, [ScenarioStep])] = [
        ("10s", [wait, ScenarioStep(timing: .at(.seconds(5)))]),
        ("\"after\"", [ScenarioStep(.repeat(2, [ScenarioStep(timing: .at(.seconds(5)))]))]),
        ("is paused", [ScenarioStep(.perform(.pause)), wait]),
        ("is paused", [ScenarioStep(.perform(.pause)), ScenarioStep(.expect(ScenarioServers.becomesOpen))]),
        ("There are more than", [ScenarioStep(.repeat(10_000, [ScenarioStep(.repeat(10_000, [ScenarioStep()]))]))]),
        ("3650", [ScenarioStep(.repeat(10_000, [ScenarioStep(.perform(.advance(.seconds(86_400))))]))]),
        ("There are more than", [ScenarioStep(.repeat(.max, [ScenarioStep(.repeat(.max, [ScenarioStep()]))]))]),
        ("is paused", [ScenarioStep(.repeat(2, [wait, ScenarioStep(.perform(.pause))]))]),
        (
            "is paused",
            [ScenarioStep(.repeat(2, [ScenarioStep(.repeat(2, [wait])), ScenarioStep(.perform(.pause))]))]
        ),
    ]

    @Test(arguments: impossible.indices)
    func anImpossibleTimeIsRefused(index: Int) {
        let (words, steps) = Self.impossible[index]
        let errors = ScenarioValidator.errors(in: Scenario(name: "Test", steps: steps))
        #expect(errors.contains { $0.error.description.contains(words) })
    }

    @Test
    func reachableTimesAreAccepted() {
        let steps = [
            ScenarioStep(.repeat(3, [Self.wait])), ScenarioStep(.perform(.pause)),
            ScenarioStep(.perform(.advance(.seconds(30)))),
            ScenarioStep(.perform(.resume)), ScenarioStep(timing: .at(.seconds(60))),
            ScenarioStep(.repeat(3, [ScenarioStep(.perform(.pause)), ScenarioStep(.perform(.resume)), Self.wait])),
            ScenarioStep(timing: .at(.seconds(90))),
        ]
        #expect(ScenarioValidator.errors(in: Scenario(name: "Test", steps: steps)).isEmpty)
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.milliseconds(250), "250ms"), (.seconds(12), "12s"), (.milliseconds(1_500), "1.5s"),
        (.seconds(90), "1min 30s"), (.seconds(200_000), "2d 7h 33min 20s"),
    ])
    func durationsArePrintedAsInFiles(duration: Duration, text: String) {
        #expect(ScenarioText.duration(duration) == text)
    }
}
