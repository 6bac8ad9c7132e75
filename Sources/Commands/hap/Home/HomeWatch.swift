import AccessoryModel
import ArgumentParser
import AsyncPrimitives
import HAPCore
import HomeModel
import HomeRuntime
import Hosting

/// The command `hap home watch`, which prints changes.
struct HomeWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the changes of a home, one on each line, until Ctrl-C.",
        discussion: """
            A lost connection is opened again. With --served, the changes are those of the running 'hap serve'. If \
            that ends, it is reported, and the changes continue when it runs again with the same state folder.

            EXAMPLE
              hap home watch
              hap home watch lights upstairs
              hap home watch garage door --count 1 --json
            """
    )

    @Argument(
        help: .value("what", "The services and a property, as in a phrase. Default: all."),
        completion: HomeCompletion.objects
    )
    var words: [String] = []

    @Option(help: .value("number", "Exit after this number of changes."))
    var count: Int?

    @OptionGroup var options: HomeOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("Write --count as a number from 1.") }
    }

    func run() async throws {
        try await options.withHome { home, homes in
            let index = HomeIndex(home)
            let selectors = try HomeSelection.selectors(words, in: home)
                .filter { index.characteristic($0)?.permissions.contains(.events) == true }
            let known = Dictionary(home.references(of: selectors).map { ($0.value, $0.key) }) { first, _ in first }
            guard !known.isEmpty else {
                throw selectors.isEmpty
                    ? CommandFailure.failed("Nothing of this reports changes; 'hap home get' reads its values.")
                    : CommandFailure.failed(
                        "None of these accessories was found yet; pair them with 'hap home add-accessory'."
                    )
            }
            try await homes.withBackend { backend in
                try await watch(known, in: home, on: backend)
            }
        }
    }

    private func watch(
        _ known: [CharacteristicReference: CharacteristicSelector],
        in home: Home,
        on backend: any HomeBackend
    ) async throws {
        let printer = LinePrinter(descriptor: CommandContext.current.output)
        defer { printer.flush(within: .seconds(1)) }
        let log = HomeLog(printer, of: home, isJSON: options.json)
        let clock = MachineClock()
        let signals = await CommandContext.current.stopSignals()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals {
                    ForcedExit.schedule()
                    break
                }
            }
            group.addTask { await backend.observe(Set(known.keys)) }
            group.addTask { [count] in
                var values: [CharacteristicSelector: CharacteristicValue?] = [:]
                var left = count ?? .max
                while left > 0, let changes = await backend.mailbox.next() {
                    for change in changes where left > 0 {
                        let now = clock.now
                        switch change {
                        case .value(let reference, let value),
                            .accepted(let reference, let value as CharacteristicValue?):
                            guard let selector = known[reference] else { continue }
                            let before = values.updateValue(value, forKey: selector)
                            log.observe(.value(selector, value), in: home, at: now)
                            if let before, before != value { left -= 1 }
                        case .reachable(let server): log.observe(.reachable(server), in: home, at: now)
                        case .unreachable(let server, let reason):
                            log.observe(.unreachable(server, reason), in: home, at: now)
                        case .structureChanged(let server): log.observe(.structureChanged(server), in: home, at: now)
                        }
                    }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
