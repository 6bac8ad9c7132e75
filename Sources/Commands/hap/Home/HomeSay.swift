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

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The phrase.", valueName: "phrase"))
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
            let phrase = try withCommandFailures { () throws(HomeError) in try read(command, in: homes) }
            guard let home = homes.home(phrase.home) else { return }
            guard !isSetting || !phrase.isQuestion else {
                throw CommandFailure.usage("This is a question; ask it with 'hap home say'.")
            }
            if isDryRun, let plan = try phrase.plan(in: home) { return try report(plan, of: phrase, in: home) }
            try await selected.withBackend { backend in
                let outcome = try await backend.perform(phrase, in: home, isDryRun: isDryRun)
                try report(outcome, of: phrase, in: home)
            }
        }
    }

    private func read(_ text: String, in homes: Homes) throws(HomeError) -> Phrase {
        guard let name = options.homeName else { return try Phrase(text, in: homes) }
        return try Phrase(text, in: homes.home(named: name))
    }

    private func report(_ outcome: PhraseOutcome, of phrase: Phrase, in home: Home) throws {
        let index = HomeIndex(home)
        let resource = PhraseResource(outcome, of: phrase, in: index)
        switch outcome {
        case .answer(let answer):
            try options.controller.write(
                "\(answer.text.escapingControlCharacters)\n",
                resource,
                PhraseResource.format
            )
        case .plan(let actions, let unchanged):
            let lines = actions.map { "  \(index.text(of: $0).escapingControlCharacters)\n" }.joined()
            try options.controller.write(
                "Would set:\n" + lines + HomeActions.line(ofUnchanged: unchanged),
                resource,
                PhraseResource.format
            )
        case .done(let results, let unchanged):
            guard !results.isEmpty else { throw CommandFailure.failed("The scene sets nothing.") }
            try HomeActions(options: options).report(results, resource, in: index, unchanged: unchanged)
        }
    }
}
