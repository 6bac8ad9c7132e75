import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import Hosting

/// The command `hap pairings`, which lists the pairings of an accessory, or the paired accessories.
struct Pairings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairings",
        abstract: "List the pairings of an accessory, or without a name the paired accessories.",
        discussion: """
            An accessory reports its pairings only to admins. The list of paired accessories is read from the state \
            folder, without connecting to them.

            EXAMPLE
              hap list                       the paired accessories
              hap pairings kilgo-garage --json
            """,
        aliases: ["list", "ls"]
    )

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String?

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        try await options.withController { controller in
            guard let alias else {
                try printList(try await controller.pairings())
                return
            }
            let accessory = try await controller.accessory(alias)
            try printList(try await accessory.pairings(), of: accessory, own: controller.identity.identifier)
        }
    }

    private func printList(_ stored: [StoredPairing]) throws {
        let rows = stored.map {
            [$0.alias, $0.pairing.displayIdentifier, $0.endpoint?.description ?? ""].map(\.escapingControlCharacters)
        }
        let none = "This controller is not paired with any accessory; 'hap pair' pairs with one.\n"
        try options.write(stored.isEmpty ? none : TextTable.text(rows)) { writer in
            writer.list("accessories", stored) { pairing, writer in
                writer.member("alias", pairing.alias)
                writer.member("deviceID", pairing.pairing.displayIdentifier)
                if let host = pairing.host, let port = pairing.port {
                    writer.member("host", host)
                    writer.member("port", Int(port))
                }
            }
        }
    }

    private func printList(_ pairings: [Pairing], of accessory: PairedAccessory, own: ControllerIdentifier)
        throws
    {
        let rows = pairings.map { pairing in
            [
                pairing.identifier.description, pairing.isAdmin ? "admin" : "user",
                pairing.identifier == own ? "this controller" : "",
            ]
        }
        try options.write(TextTable.text(rows)) { writer in
            writer.member("alias", accessory.alias)
            writer.list("pairings", pairings) { pairing, writer in
                writer.member("identifier", pairing.identifier.description)
                writer.member("publicKey", CharacteristicValue.data(pairing.publicKey.bytes))
                writer.member("admin", pairing.isAdmin)
                writer.member("own", pairing.identifier == own)
            }
        }
    }
}
