import ArgumentParser
import HAPController

/// `hap accessories`: everything that an accessory has.
struct Accessories: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessories",
        abstract: "Show an accessory's services and characteristics with their values.",
        discussion: """
            Each line is a characteristic: the number and the name that 'hap get' and 'hap put' take, its value, what may be \
            done with it, and its format. With --json the accessory's own description is printed, in HAP's words and with \
            the names; 'hap serve' can serve it.

            EXAMPLE
              hap accessories kilgo-garage
              hap accessories kilgo-garage --json > garage.json
            """
    )

    @Argument(help: ArgumentHelp("The accessory.", valueName: "alias"), completion: ControllerCompletion.aliases)
    var alias: String

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            let listing = AccessoryListing(accessories: try await accessory.accessories(refreshing: true))
            try Output.write(options.json ? listing.json : listing.text)
        }
    }
}
