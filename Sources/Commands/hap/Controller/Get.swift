import AccessoryModel
import ArgumentParser
import HAPController
import Hosting

/// The command `hap get`, which reads characteristics.
struct Get: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Read characteristics of an accessory.",
        discussion: """
            Name a characteristic by its number AID.IID, its name, SERVICE/NAME, or ACCESSORY/SERVICE/NAME on a \
            bridge. Case and spaces are ignored. 'hap accessories' lists the characteristics.

            Exits with 2 and the HAP status if one of them cannot be read.

            EXAMPLE
              hap get kilgo-garage "Current Door State"
              hap get kilgo-garage 1.12 GarageLight/On --json
            """
    )

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String

    @Argument(
        help: .value("aid.iid|name", "The characteristics to read."),
        completion: ControllerCompletion.characteristics(.read)
    )
    var characteristics: [String]

    @OptionGroup var options: ControllerOptions

    func validate() throws {
        guard !characteristics.isEmpty else { throw ValidationError("Name a characteristic to read.") }
    }

    func run() async throws {
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            let database = try await accessory.accessories()
            let found = try characteristics.map { try CharacteristicPath.resolve($0, in: database) }
            let results = try await accessory.read(found.map(\.id))
            let report = CharacteristicReport(found: found, results: results, isBridge: database.count > 1)
            try options.write(report.text, report, CharacteristicReport.format)
            if let failure = CommandFailure(refusals: results, of: found) { throw failure }
        }
    }
}
