import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import Hosting
import Resources

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
        try options.write(stored.isEmpty ? none : TextTable.text(rows), stored, StoredPairing.list)
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
        let resource = AccessoryPairings(
            alias: accessory.alias,
            pairings: pairings.map { .init(pairing: $0, isOwn: $0.identifier == own) }
        )
        try options.write(TextTable.text(rows), resource, AccessoryPairings.format)
    }
}

extension StoredPairing {
    /// The paired accessories, without their keys.
    static let list = Format<[StoredPairing]>(
        response: "PairedAccessories",
        .written("accessories", \.self, .list(of: stored), "The accessories with which this controller is paired.")
    )

    private static let stored = Format<StoredPairing>(
        response: "PairedAccessory",
        .written("alias", \.alias, .string, "The alias."),
        .written("deviceID", \.pairing.displayIdentifier, .string, "The device ID."),
        .written("host", \.endpoint?.host, .string, "The last address or host name, if one is known."),
        .written("port", \.endpoint?.port, .integer, "The last port, if one is known.")
    )
}

/// The pairings of an accessory, as it reports them.
struct AccessoryPairings: Sendable {
    /// A pairing, and whether it is that of this controller.
    struct Entry: Sendable {
        var pairing: Pairing
        var isOwn: Bool

        fileprivate var publicKey: String { Base64.encode(pairing.publicKey.bytes) }
    }

    var alias: String
    var pairings: [Entry]

    static let format = Format<AccessoryPairings>(
        response: "AccessoryPairings",
        .written("alias", \.alias, .string, "The alias of the accessory."),
        .written("pairings", \.pairings, .list(of: entry), "Its pairings.")
    )

    private static let entry = Format<Entry>(
        response: "AccessoryPairing",
        .written("identifier", \.pairing.identifier.description, .string, "The identifier of the controller."),
        .written("publicKey", \.publicKey, .string, "The controller's public key in Base64."),
        .written("admin", \.pairing.isAdmin, .boolean, "Whether the controller is an administrator."),
        .written("own", \.isOwn, .boolean, "Whether it is this controller.")
    )
}
