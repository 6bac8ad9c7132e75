import AccessoryModel
import ArgumentParser
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources

/// The command `hap home say`, which does what a phrase says, or answers it.
struct HomeSay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say",
        abstract: "Do what an English phrase says, or answer it.",
        discussion: """
            A phrase names services by name, type, room, zone, group or home, and says what to do with them; or it \
            names a scene; or it asks. Questions never change anything. An ambiguous phrase is refused with everything \
            that it could mean, and an unknown word is named. docs/phrases.md lists the patterns.

            Nothing is unlocked or disarmed and no door is opened unless the phrase names it, or a scene says so.

            EXAMPLE
              hap home say "turn off the lights upstairs"
              hap home say set the mood light to 40% and red --dry-run
              hap home say "which lights are on?" --json
              hap home say good night --served
            """
    )

    @Argument(parsing: .allUnrecognized, help: .value("phrase", "The phrase."))
    var words: [String]

    @Flag(help: "Print what would be set, and set nothing.")
    var dryRun = false

    @OptionGroup var options: HomeOptions

    func validate() throws {
        try HomePhrase.check(words)
    }

    func run() async throws {
        try await HomePhrase(options: options, isDryRun: dryRun)
            .perform(words.joined(separator: " "))
    }
}

/// A phrase on the command line.
struct HomePhrase {
    let options: HomeOptions
    let isDryRun: Bool

    /// Checks that the words are not misspelled options.
    ///
    /// - Throws: `ValidationError` that names the first such word.
    static func check(_ words: [String]) throws {
        if let option = words.first(where: { $0.hasPrefix("-") && !$0.dropFirst().allSatisfy(isInNumber) }) {
            throw ValidationError("Unknown option '\(option)'")
        }
    }

    private static func isInNumber(_ character: Character) -> Bool {
        character.isASCII && character.isNumber || character == "." || character == "%" || character == "°"
    }

    /// Does what a phrase says, or answers it.
    ///
    /// - Parameters:
    ///   - text: The phrase.
    ///   - isSetting: Whether the phrase has no verb, because the command says that something is to be set.
    func perform(_ text: String, isSetting: Bool = false) async throws {
        try await options.withHomes { selected in
            let homes = try await selected.store.homes().homes
            let command = isSetting ? "set \(text)" : text
            if isSetting, (try? read(command, in: homes)) == nil, (try? read(text, in: homes))?.isQuestion == true {
                throw CommandFailure.usage("This is a question; ask it with 'hap home say'.")
            }
            let phrase = try read(command, in: homes)
            guard let home = homes.home(phrase.home) else { return }
            guard !isSetting || !phrase.isQuestion else {
                throw CommandFailure.usage("This is a question; ask it with 'hap home say'.")
            }
            if isDryRun, let plan = try phrase.plan(in: home) { return try options.report(plan, of: phrase, in: home) }
            try await selected.withBackend { backend in
                let outcome = try await backend.perform(phrase, in: home, isDryRun: isDryRun)
                try options.report(outcome, of: phrase, in: home)
            }
        }
    }

    private func read(_ text: String, in homes: Homes) throws(HomeError) -> Phrase {
        guard let name = options.homeName else { return try Phrase(text, in: homes) }
        return try Phrase(text, in: homes.home(named: name))
    }
}

extension HomeOptions {
    /// Prints what a phrase or a scene has set or would set, or the answer to a question.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - phrase: The phrase, or `nil` for a scene that is run by its name.
    ///   - home: The home.
    /// - Throws: ``CommandFailure`` after the results are printed, when one of the actions failed.
    func report(_ outcome: PhraseOutcome, of phrase: Phrase? = nil, in home: Home) throws {
        let index = HomeIndex(home)
        var lines: [String]
        // The services that a phrase includes but does not change.
        var unchanged: [HomeService] = []
        switch outcome {
        case .answer(let answer): lines = [answer.text]
        case .plan(let actions, let others):
            lines = ["Would set:"] + actions.map { "  \(index.text(of: $0))" }
            unchanged = others
        case .done(let results, let others):
            guard !results.isEmpty else { throw CommandFailure.failed("The scene sets nothing.") }
            lines = results.map { result in
                let text = index.text(of: result.action)
                return result.hasSucceeded ? text : "\(text): \(result.failureReason(in: index))"
            }
            unchanged = others
        }
        if !unchanged.isEmpty {
            let names = unchanged.prefix(5).map(\.name.text).joined(separator: ", ")
            lines.append("Not changed: \(names)\(unchanged.count > 5 ? " and \(unchanged.count - 5) more" : "").")
        }
        try controller.write(
            lines.map { "\($0.escapingControlCharacters)\n" }.joined(),
            PhraseResource(outcome, of: phrase, in: index),
            PhraseResource.format
        )
        if case .done(let results, _) = outcome, let failure = CommandFailure(results) { throw failure }
    }
}
