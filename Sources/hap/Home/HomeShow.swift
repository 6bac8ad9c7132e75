import ArgumentParser
import HomeModel

/// `hap home show`: what there is.
struct HomeShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the homes: rooms with what is in them, zones, groups, scenes, automations, users.",
        discussion: """
            EXAMPLE
              hap home
              hap home show --home "Kilgo House" --json
            """
    )

    @OptionGroup var servedOption: HomeServedOption
    @OptionGroup var options: HomeOptions

    func run() async throws {
        let homes = try await options.homes(served: servedOption.served)
        let shown = try options.homeName == nil ? homes.homes : [options.home(in: homes)]
        let paired = servedOption.served || shown.isEmpty ? nil : try await options.readPairedServers()
        if options.json {
            try Output.write(HomeListing.json(of: shown, primary: homes.primary, paired: paired))
        } else if shown.isEmpty {
            try Output.write("There is no home yet; add one with hap home add home NAME.\n")
        } else {
            let texts = shown.map { HomeListing.text(of: $0, isPrimary: $0.id == homes.primary, paired: paired) }
            try Output.write(texts.joined(separator: "\n"))
        }
    }
}
