import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import Hosting

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
            try options.write("\(accessory.alias) identifies itself.\n") { writer in
                writer.member("alias", accessory.alias)
                writer.member("aid", aid.rawValue)
            }
        }
    }
}
