import AccessoryModel
import ArgumentParser
import AsyncPrimitives
import Foundation
import HAPCore
import HomeModel
import HomeRuntime
import UnixSignals

/// The command `hap home status`, which shows the states of services.
struct HomeStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what is on, open, unlocked, unreachable or low on battery, by room.",
        discussion: """
            Without names, the whole home is shown. Name services, types, rooms, zones or groups to show only these.

            EXAMPLE
              hap home status
              hap home status upstairs
              hap home status lights --json
              hap home status --served
            """
    )

    @Argument(
        help: ArgumentHelp("The services, as in a phrase. Default: all.", valueName: "what"),
        completion: HomeCompletion.objects
    )
    var words: [String] = []

    @OptionGroup var servedOption: HomeServedOption
    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome(served: servedOption.served) { home, _ in
            let services = try Self.services(words, in: home)
            let selectors = services.flatMap { ServiceStatus.selectors(of: $0) }
            let values = try await options.withBackend(served: servedOption.served) { backend in
                await backend.values(of: selectors, in: home)
            }
            // A service without a state, such as the management of a lock, has nothing to show.
            let states = services.map { ServiceStatus(of: $0, in: home, values) }.filter { !$0.text.isEmpty }
            try options.controller.write(Self.text(states, in: home)) { writer in
                writer.member("home", home.name.text)
                writer.list("services", states) { state, writer in Self.write(state, in: home, to: &writer) }
            }
        }
    }

    /// Returns the services that words describe, or all visible ones without words.
    static func services(_ words: [String], in home: Home) throws(CommandFailure) -> [HomeService] {
        guard !words.isEmpty else { return home.visibleServices.map(\.service) }
        let phrase = try withCommandFailures { () throws(HomeError) in
            try Phrase(asking: words.joined(separator: " "), in: home)
        }
        guard case .question(let question) = phrase.meaning else { return [] }
        return question.services.compactMap { home.service($0) }
    }

    /// The facts that a summary names, in this order.
    private static let summarized: [ServiceFact] = [.on, .open, .unlocked, .triggered, .lowBattery, .unreachable]

    private static func text(_ states: [ServiceStatus], in home: Home) -> String {
        var lines: [String] = []
        for fact in summarized {
            let names = states.filter { $0.facts.contains(fact) }.compactMap { home.service($0.service)?.name.text }
            guard !names.isEmpty else { continue }
            lines.append("\(fact.text.prefix(1).uppercased())\(fact.text.dropFirst()): \(names.joined(separator: ", "))")
        }
        if lines.isEmpty { lines = ["Nothing is on, open or unlocked."] }
        let rooms = Dictionary(grouping: states) { home.room(of: $0.service) }
        for room in home.rooms + [.entireHome] {
            guard let states = rooms[room.id] else { continue }
            lines.append("\(room.name)")
            lines += TextTable.lines(
                states.map { [home.service($0.service)?.name.text ?? "", $0.text] },
                indentation: 2
            )
        }
        return lines.map { "\($0.escapingControlCharacters)\n" }.joined()
    }

    private static func write(_ state: ServiceStatus, in home: Home, to writer: inout JSONWriter) {
        guard let service = home.service(state.service) else { return }
        writer.member("name", service.name.text)
        writer.member("type", service.effectiveType.description)
        writer.member("room", ifPresent: home.room(of: service.id).flatMap { home.room($0)?.name.text })
        writer.member("accessory", ifPresent: home.accessory(of: service.id)?.name.text)
        writer.member("state", state.text)
        writer.member("facts", state.facts.map(\.rawValue).sorted())
    }
}

/// The command `hap home get`, which prints values.
struct HomeGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the values of services: all of them, or those of one property.",
        discussion: """
            Exits with 69 if a value cannot be read.

            EXAMPLE
              hap home get Mood Light
              hap home get brightness of the lights upstairs
              hap home get temperature --json
            """
    )

    @Argument(
        help: ArgumentHelp("The services and a property, as in a phrase.", valueName: "what"),
        completion: HomeCompletion.objects
    )
    var words: [String]

    @OptionGroup var servedOption: HomeServedOption
    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome(served: servedOption.served) { home, _ in
            let selectors = try HomeSelection.selectors(words, in: home)
            let values = try await options.withBackend(served: servedOption.served) { backend in
                await backend.values(of: selectors, in: home)
            }
            let rows = selectors.map { selector in
                [home.text(of: selector), values[selector].map { home.text(of: $0, for: selector) } ?? "unreachable"]
            }
            try options.controller.write(TextTable.text(rows, indentation: 0)) { writer in
                writer.list("values", selectors) { selector, writer in
                    writer.member("name", home.text(of: selector))
                    writer.member("value", ifPresent: values[selector])
                    writer.member("text", ifPresent: values[selector].map { home.text(of: $0, for: selector) })
                }
            }
            let unread = selectors.filter { values[$0] == nil }
            guard unread.isEmpty else {
                throw CommandFailure.unavailable(
                    "\(unread.count) of \(selectors.count) values cannot be read; check that the accessories run."
                )
            }
        }
    }
}

/// The characteristics that words on the command line select.
enum HomeSelection {
    /// Returns the characteristics: those of the property that is named, or all that can be read.
    static func selectors(_ words: [String], in home: Home) throws(CommandFailure) -> [CharacteristicSelector] {
        guard !words.isEmpty else { return all(of: home.visibleServices.map(\.service)) }
        let phrase = try withCommandFailures { () throws(HomeError) in
            try Phrase(asking: words.joined(separator: " "), in: home)
        }
        guard case .question(let question) = phrase.meaning else { return [] }
        if case .value = question { return PhraseAnswer.neededSelectors(for: question, in: home) }
        return all(of: question.services.compactMap { home.service($0) })
    }

    private static func all(of services: [HomeService]) -> [CharacteristicSelector] {
        services.flatMap { service in
            service.characteristics.filter { $0.permissions.contains(.read) && $0.type != .name }
                .map { CharacteristicSelector(service: service.id, type: $0.type) }
        }
    }
}

/// The command `hap home watch`, which prints changes.
struct HomeWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the changes of a home, one on each line, until Ctrl-C.",
        discussion: """
            A lost connection is opened again. With --served, the changes are those of the running 'hap serve'.

            EXAMPLE
              hap home watch
              hap home watch lights upstairs
              hap home watch garage door --count 1 --json
            """
    )

    @Argument(
        help: ArgumentHelp("The services and a property, as in a phrase. Default: all.", valueName: "what"),
        completion: HomeCompletion.objects
    )
    var words: [String] = []

    @Option(help: ArgumentHelp("Exit after this number of changes.", valueName: "number"))
    var count: Int?

    @OptionGroup var servedOption: HomeServedOption
    @OptionGroup var options: HomeOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("Write --count as a number from 1.") }
    }

    func run() async throws {
        try await options.withHome(served: servedOption.served) { home, _ in
            let selectors = try HomeSelection.selectors(words, in: home)
                .filter { home.characteristic($0)?.permissions.contains(.events) == true }
            let known = Dictionary(home.references(of: selectors).map { ($0.value, $0.key) }) { first, _ in first }
            guard !known.isEmpty else {
                throw CommandFailure.failed("Nothing of this reports changes; 'hap home get' reads its values.")
            }
            try await options.withBackend(served: servedOption.served) { backend in
                try await watch(known, in: home, on: backend)
            }
        }
    }

    private func watch(
        _ known: [CharacteristicReference: CharacteristicSelector],
        in home: Home,
        on backend: any HomeBackend
    ) async throws {
        let printer = LinePrinter(descriptor: STDOUT_FILENO)
        defer { printer.flush(within: .seconds(1)) }
        let log = HomeLog(printer, of: home, isJSON: options.json)
        let clock = MachineClock()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
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
                        let now = await clock.now
                        switch change {
                        case .value(let reference, let value), .accepted(let reference, let value as CharacteristicValue?):
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
