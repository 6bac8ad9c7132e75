import ArgumentParser
import Discovery
import Synchronization
import UnixSignals

/// `hap discover`: which accessories announce themselves in this network.
struct Discover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "List the accessories in this network.",
        discussion: """
            Shows what each accessory says of itself to everyone; nothing is asked of the accessory itself, and nothing is \
            paired. Ends as soon as everything that is known was told, and ends with 69 when no Avahi daemon answers. \
            With --watch a daemon is waited for, until Ctrl-C or the end of --seconds.

            EXAMPLE
              hap discover
              hap discover --json
              hap discover --watch           a line for each change, until Ctrl-C
            """
    )

    @Flag(help: "Follow what appears, changes and disappears, until Ctrl-C.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            "How long to look, 0.1 to 86400. Default: 3 at most; with --watch without end.",
            valueName: "n"
        )
    )
    var seconds: Double?

    @Flag(help: "Print JSON: one object, with --watch one for each change on a line of its own.")
    var json = false

    func validate() throws {
        guard seconds.map({ 0.1...86_400 ~= $0 }) ?? true else {
            throw ValidationError("Write --seconds as a number from 0.1 to 86400.")
        }
    }

    func run() async throws {
        let time = seconds.map { Duration.seconds($0) }
        if watch {
            try await printUpdates(for: time)
        } else {
            try await printList(within: time ?? .seconds(3))
        }
    }

    /// How long accessories that are slow to answer are waited for once everything else was told.
    private static let settlingTime = Duration.milliseconds(300)

    private func printList(within time: Duration) async throws(CommandFailure) {
        var survey = DiscoveryResults()
        let events = DiscoveryEvents(AccessoryBrowser())
        events.finish(after: time)
        for await update in events.updates {
            survey.handle(update)
            if survey.isComplete {
                events.finish(after: Self.settlingTime)
            } else if survey.failure != nil {
                break
            }
        }
        if let failure = survey.failure {
            throw CommandFailure.unavailable(failure.description)
        }
        try Output.write(json ? survey.json : survey.text)
    }

    private func printUpdates(for time: Duration?) async throws(CommandFailure) {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let events = DiscoveryEvents(AccessoryBrowser())
        if let time {
            events.finish(after: time)
        }
        let isInterrupted = Atomic(false)
        let waiting = Task {
            for await _ in signals {
                ForcedExit.schedule()
                isInterrupted.store(true, ordering: .relaxed)
                break
            }
            events.finish(after: .zero)
        }
        defer { waiting.cancel() }
        var isAvailable = true
        var hasAnswered = false
        for await update in events.updates {
            switch update {
            case .unavailable(let error):
                isAvailable = false
                StandardError.write("hap: \(error.reason) It is waited for. \(error.remedy)\n")
            case .available:
                if !isAvailable {
                    StandardError.write("hap: The Avahi daemon answers.\n")
                }
                isAvailable = true
                hasAnswered = true
            case .appeared, .changed, .disappeared, .allForNow:
                if let line = json ? update.jsonLine : update.line {
                    guard try Output.write(line) else { return }
                }
            }
        }
        // Whoever is interrupted has not waited for as long as that.
        guard hasAnswered || time == nil || isInterrupted.load(ordering: .relaxed) else {
            throw CommandFailure.unavailable("No Avahi daemon has answered in that time; see 'hap doctor'.")
        }
    }
}
