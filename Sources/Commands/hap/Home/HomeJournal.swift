import AccessoryModel
import ArgumentParser
import HAPCore
import HomeModel
import HomeRuntime
import Resources

/// The command `hap home journal`, which shows why automations ran or did not run.
struct HomeJournal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Show why each automation ran, or did not, with the latest entry last.",
        discussion: """
            EXAMPLE
              hap home journal
              hap home journal --count 100 --automation "Light the Garage" --json
              hap home journal --served
            """
    )

    @Option(help: .value("number", "The maximum number of entries."))
    var count: Int = 40

    @Option(
        help: .value("name", "Show the entries of one automation only."),
        completion: HomeCompletion.names(.automation)
    )
    var automation: String?

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard count >= 1 else { throw ValidationError("Write --count as a number from 1.") }
    }

    func run() async throws {
        try await options.withHome { home, homes in
            let wanted = try automation.map { try home.automation(named: $0).id }
            let limit = wanted == nil ? count : StoredJournalEntry.maximumCount
            let lines = try await homes.store.journal(of: home.id, last: limit)
                .filter { wanted == nil || $0.automation == wanted }.suffix(count)
            let calendar = FoundationCalendar(of: home)
            let text = lines.map { line in
                let time = LineTime(line.instant).text(of: line.instant, in: calendar, zone: home.timeZone)
                return "\(time)  \(line.text.escapingControlCharacters)\n"
            }
            let none = "The journal is empty; 'hap home run' and 'hap serve --home' run the automations.\n"
            try options.controller.write(
                lines.isEmpty ? none : text.joined(),
                JournalResource(Array(lines), in: HomeIndex(home)),
                JournalResource.format
            )
        }
    }
}
