import ArgumentParser
import Discovery
import Hosting
import Synchronization

/// The command `hap discover`, which lists the accessories that announce themselves on this network.
struct Discover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "List the accessories on this network.",
        discussion: """
            Shows what each accessory announces on the network. The command connects to no accessory and pairs with \
            none. It ends as soon as the Avahi daemon has reported all accessories that it knows, and exits with 69 if \
            no daemon answers. With --watch, it waits for a daemon until Ctrl-C or the end of --seconds.

            EXAMPLE
              hap discover
              hap discover --json
              hap discover --watch           a line for each change, until Ctrl-C
            """
    )

    @Flag(help: "Print each accessory that appears, changes or disappears, until Ctrl-C.")
    var watch = false

    @Option(
        help: .value("n", "The number of seconds to search, 0.1 to 86400. Default: at most 3; with --watch unlimited.")
    )
    var seconds: Double?

    @Flag(help: "Print JSON: one object, or with --watch one object on a line for each change.")
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

    /// The time to wait for slow accessories after everything else was reported.
    private static let settlingTime = Duration.milliseconds(300)

    private func printList(within time: Duration) async throws {
        let results = try await DiscoveryResults.search(within: time, settling: Self.settlingTime)
        try Output.write(results.text, results, DiscoveryResults.format, asJSON: json)
    }

    private func printUpdates(for time: Duration?) async throws {
        let signals = await CommandContext.current.stopSignals()
        let events = DiscoveryEvents(AccessoryBrowser().updates())
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
                StandardError.write("hap: \(error.reason) Waiting for it. \(error.remedy)\n")
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
        // If a signal ended the search early, a missing answer is not a failure.
        guard hasAnswered || time == nil || isInterrupted.load(ordering: .relaxed) else {
            throw CommandFailure.unavailable("No Avahi daemon has answered in that time; see 'hap doctor'.")
        }
    }
}
