import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// Times that cannot be.
struct ScenarioRulesTests {
    private static let wait = ScenarioStep(moment: .after(.seconds(10)))

    private static let impossible: [(String, [ScenarioStep])] = [
        ("10s", [wait, ScenarioStep(moment: .at(.seconds(5)))]),
        ("\"after\"", [ScenarioStep(.repeat(2, [ScenarioStep(moment: .at(.seconds(5)))]))]),
        ("stands still", [ScenarioStep(.act(.pause)), wait]),
        ("stands still", [ScenarioStep(.act(.pause)), ScenarioStep(.expect(ScenarioStage.becomesOpen))]),
        ("happen more than", [ScenarioStep(.repeat(10_000, [ScenarioStep(.repeat(10_000, [ScenarioStep()]))]))]),
        ("3650", [ScenarioStep(.repeat(10_000, [ScenarioStep(.act(.advance(.seconds(86_400))))]))]),
        ("happen more than", [ScenarioStep(.repeat(.max, [ScenarioStep(.repeat(.max, [ScenarioStep()]))]))]),
        ("stands still", [ScenarioStep(.repeat(2, [wait, ScenarioStep(.act(.pause))]))]),
        (
            "stands still",
            [ScenarioStep(.repeat(2, [ScenarioStep(.repeat(2, [wait])), ScenarioStep(.act(.pause))]))]
        ),
    ]

    @Test(arguments: impossible.indices)
    func anImpossibleTimeIsRefused(index: Int) {
        let (words, steps) = Self.impossible[index]
        let mistakes = ScenarioRules.mistakes(in: Scenario(name: "Test", steps: steps))
        #expect(mistakes.contains { $0.error.description.contains(words) })
    }

    @Test
    func timeThatPassesIsCounted() {
        let steps = [
            ScenarioStep(.repeat(3, [Self.wait])), ScenarioStep(.act(.pause)),
            ScenarioStep(.act(.advance(.seconds(30)))),
            ScenarioStep(.act(.resume)), ScenarioStep(moment: .at(.seconds(60))),
            ScenarioStep(.repeat(3, [ScenarioStep(.act(.pause)), ScenarioStep(.act(.resume)), Self.wait])),
            ScenarioStep(moment: .at(.seconds(90))),
        ]
        #expect(ScenarioRules.mistakes(in: Scenario(name: "Test", steps: steps)).isEmpty)
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.milliseconds(250), "250ms"), (.seconds(12), "12s"), (.milliseconds(1_500), "1.5s"),
        (.seconds(90), "1min 30s"), (.seconds(200_000), "2d 7h 33min 20s"),
    ])
    func durationsReadAsFilesWriteThem(duration: Duration, text: String) {
        #expect(ScenarioText.duration(duration) == text)
    }
}
