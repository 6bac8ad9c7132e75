import AccessoryModel
import ArgumentParser
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources

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

    @Argument(help: .value("what", "The services and a property, as in a phrase."), completion: HomeCompletion.objects)
    var words: [String]

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome { home, homes in
            let selectors = try HomeSelection.selectors(words, in: home)
            let values = try await homes.withBackend { backend in
                await backend.values(of: selectors, in: home)
            }
            let index = HomeIndex(home)
            let rows = selectors.map { selector in
                [index.text(of: selector), values[selector].map { index.text(of: $0, for: selector) } ?? "unreachable"]
            }
            try options.controller.write(
                TextTable.text(rows, indentation: 0),
                HomeValuesResource(selectors, values, in: index),
                HomeValuesResource.format
            )
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
    static func selectors(_ words: [String], in home: Home) throws(HomeError) -> [CharacteristicSelector] {
        guard !words.isEmpty else { return home.readableSelectors(of: home.visibleServices.map(\.service)) }
        return try home.selectors(describedBy: words.joined(separator: " "))
    }
}
