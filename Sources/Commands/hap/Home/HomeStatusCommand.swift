import AccessoryModel
import ArgumentParser
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources

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

    @Argument(help: .value("what", "The services, as in a phrase. Default: all."), completion: HomeCompletion.objects)
    var words: [String] = []

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome { home, homes in
            let services = try home.services(describedBy: words.isEmpty ? nil : words.joined(separator: " "))
            let statuses = try await homes.withBackend { backend in await backend.statuses(of: services, in: home) }
            // A service without a state, such as the management of a lock, has nothing to show.
            let states = statuses.filter { !$0.text.isEmpty }
            let index = HomeIndex(home)
            try options.controller.write(
                Self.text(states, in: home, index),
                HomeStatusResource(states, in: home, index),
                HomeStatusResource.format
            )
        }
    }

    /// The facts that a summary names, in this order.
    private static let summarized: [ServiceFact] = [.on, .open, .unlocked, .triggered, .lowBattery, .unreachable]

    private static func text(_ states: [ServiceStatus], in home: Home, _ index: HomeIndex) -> String {
        var lines: [String] = []
        for fact in summarized {
            let names = states.filter { $0.facts.contains(fact) }.compactMap { index.service($0.service)?.name.text }
            guard !names.isEmpty else { continue }
            lines.append(
                "\(fact.text.prefix(1).uppercased())\(fact.text.dropFirst()): \(names.joined(separator: ", "))"
            )
        }
        if lines.isEmpty { lines = ["Nothing is on, open or unlocked."] }
        let rooms = Dictionary(grouping: states) { index.room(of: $0.service) }
        for room in home.rooms + [.entireHome] {
            guard let states = rooms[room.id] else { continue }
            lines.append("\(room.name)")
            lines += TextTable.lines(
                states.map { [index.service($0.service)?.name.text ?? "", $0.text] },
                indentation: 2
            )
        }
        return lines.map { "\($0.escapingControlCharacters)\n" }.joined()
    }
}
