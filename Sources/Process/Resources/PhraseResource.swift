internal import AccessoryModel
package import Documents
internal import HAPCore
package import HomeModel
package import HomeRuntime

/// The answer to a phrase, or what it has set or would set; also for a scene that is run by its name.
package struct PhraseResource: Sendable {
    /// An action, with its outcome if it was run.
    private struct Action {
        let text: HomeActionText
        let home: HomeIndex
        let result: ActionResult?

        init(_ action: HomeAction, in home: HomeIndex, _ result: ActionResult? = nil) {
            text = HomeActionText(action, in: home)
            self.home = home
            self.result = result
        }

        var outcome: String? { result?.outcome.scriptWord }
        var status: Int64? {
            if case .refused(let code) = result?.outcome { code } else { nil }
        }
        var message: String? {
            result.flatMap { $0.hasSucceeded ? nil : $0.failureReason(in: home) }
        }
    }

    private let kind: String
    private var answer: PhraseAnswer?
    private var actions: [Action]?
    private var unchanged: [String]?

    /// Creates the resource of a phrase, or of a scene that was run.
    ///
    /// - Parameter phrase: The phrase, or `nil` for a scene.
    package init(_ outcome: PhraseOutcome, of phrase: Phrase?, in home: HomeIndex) {
        switch outcome {
        case .answer(let answer):
            kind = "question"
            self.answer = answer
        case .plan(let actions, let unchanged):
            kind = "plan"
            self.actions = actions.map { Action($0, in: home) }
            self.unchanged = unchanged.map(\.name.text)
        case .done(let results, let unchanged):
            kind = if case .commands = phrase?.meaning { "command" } else { "scene" }
            actions = results.map { Action($0.action, in: home, $0) }
            self.unchanged = unchanged.map(\.name.text)
        }
    }

    package static let format = Format<PhraseResource>(
        response: "PhraseResult",
        .written(
            "kind",
            \.kind,
            .word(["question", "scene", "command", "plan"]),
            "What the phrase is: question, scene, command, or plan for a dry run."
        ),
        .written("answer", \.answer?.text, .string, "The answer to a question in a sentence."),
        .written("yes", \.answer?.isYes, .boolean, "Whether the answer is yes; missing if it is not known."),
        .written("services", \.answer?.entries, .list(of: entry), "The services that the answer is about."),
        .written("results", \.actions, .list(of: action), "What was set, or would be set."),
        .written(
            "unchanged",
            \.unchanged,
            .list(of: .string),
            "The names of the services that the phrase includes but does not change, such as lamps without a color."
        )
    )

    private static let entry = Format<PhraseAnswer.Entry>(
        response: "AnswerEntry",
        .written("name", \.name, .string, "The name of the service."),
        .written("state", \.text, .string, "Its state or value in words.")
    )

    private static let action = Format<Action>(
        response: "ActionResult",
        properties: HomeActionText.properties { $0.text } + [
            .written(
                "outcome",
                \.outcome,
                .word(["done", "refused", "unreachable", "notSent"]),
                "done, refused, unreachable or notSent; missing in a dry run."
            ),
            .written(
                "status",
                \.status,
                .integer,
                "The status with which the accessory refused it."
            ),
            .written("message", \.message, .string, "Why it failed."),
        ]
    )
}
