import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import Hosting
import Resources

/// The command `hap identify`, which makes an accessory identify itself.
struct Identify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Make an accessory identify itself, for example by blinking or beeping.",
        discussion: """
            EXAMPLE
              hap identify kilgo-garage
              hap identify my-bridge --aid 3
            """
    )

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String

    @Option(help: .value("number", "The aid of an accessory on a bridge; 1 is the bridge itself."))
    var aid: UInt64 = 1

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        guard let aid = AccessoryID(aid) else {
            throw CommandFailure.usage("There is no accessory 0; write --aid as a number from 1.")
        }
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            try await accessory.identify(aid)
            let resource = IdentifyResource(alias: accessory.alias, aid: aid.rawValue)
            try options.write("\(accessory.alias) identifies itself.\n", resource, IdentifyResource.format)
        }
    }
}

/// An accessory that identifies itself.
struct IdentifyResource: Sendable {
    var alias: String
    var aid: UInt64

    static let format = Format<IdentifyResource>(
        response: "IdentifyResult",
        .written("alias", \.alias, .string, "The alias of the paired accessory."),
        .written("aid", \.aid, .id, "The accessory on a bridge; 1 is the bridge itself.")
    )
}
