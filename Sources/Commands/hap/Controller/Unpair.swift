import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources

/// The command `hap unpair`, which removes the pairing with an accessory.
struct Unpair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Remove the pairing with an accessory.",
        discussion: """
            Removes the pairing from the accessory and from this controller. Without other pairings, the accessory can \
            be paired again. If the accessory is gone for good or was reset, --force removes the pairing from this \
            controller alone.

            EXAMPLE
              hap unpair kilgo-garage
              hap unpair old-lamp --force
            """
    )

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String

    @Flag(help: "Remove the pairing here, even if the accessory cannot be reached.")
    var force = false

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            var notificationError: ControllerError?
            do throws(ControllerError) {
                try await accessory.unpair()
            } catch {
                guard force else { throw Self.withRemedy(error, accessory.alias) }
                try await controller.forget(accessory.alias)
                notificationError = error
            }
            try report(accessory, notificationError, await homes(with: accessory))
        }
    }

    /// Returns the homes that contain the accessory.
    private func homes(with accessory: PairedAccessory) async throws -> [HomeMembership] {
        guard let id = accessory.pairing.deviceID else { return [] }
        let folder = try StateLocation(options.state)
        return await HomeMembership.all(of: id, in: folder.path)
    }

    /// Adds `--force` to the remedy of an error that prevents the accessory from removing the pairing.
    private static func withRemedy(_ error: ControllerError, _ alias: String) -> ControllerError {
        var error = error
        switch error.code {
        case .unreachable, .timedOut, .notFound, .connectionLost, .refused, .requestFailed, .wrongAccessory,
            .unproven, .malformed, .discovery:
            error.remedy += " If it is gone for good, 'hap unpair \(alias) --force' removes it."
        default: break
        }
        return error
    }

    private func report(
        _ accessory: PairedAccessory,
        _ notificationError: ControllerError?,
        _ homes: [HomeMembership]
    ) throws {
        let line =
            if let notificationError {
                "\(accessory.alias) was removed from this controller. The accessory itself could not be unpaired: "
                    + "\(notificationError.reason.escapingControlCharacters)\n"
            } else {
                "\(accessory.alias) is no longer paired with this controller.\n"
            }
        let resource = UnpairResource(
            alias: accessory.alias,
            deviceID: accessory.pairing.displayIdentifier,
            isNotified: notificationError == nil,
            homes: homes.map(\.home.text)
        )
        try options.write(
            line + homes.map { "\($0.removalNote.escapingControlCharacters)\n" }.joined(),
            resource,
            UnpairResource.format
        )
    }
}

/// A pairing that was removed.
struct UnpairResource: Sendable {
    var alias: String
    var deviceID: String
    var isNotified: Bool
    var homes: [String]

    static let format = Format<UnpairResource>(
        response: "UnpairResult",
        .written("alias", \.alias, .string, "The alias of the accessory."),
        .written("deviceID", \.deviceID, .string, "Its device ID."),
        .written("notified", \.isNotified, .boolean, "Whether the accessory removed the pairing, too."),
        .written("homes", \.homes, .list(of: .string), "The names of the homes that still contain the accessory.")
    )
}

/// The membership of an accessory in a home.
struct HomeMembership: Sendable {
    let home: ObjectName
    /// The name of the accessory in the home.
    ///
    /// For a bridge, this is the bridge without its bridged accessories.
    let accessory: ObjectName

    /// Returns the memberships of a server's accessory in the homes of a state folder.
    ///
    /// Returns an empty list if there are no homes or they cannot be read.
    static func all(of server: DeviceID, in folder: String) async -> [HomeMembership] {
        (await HomeStateStore.homes(in: folder)?.homes ?? [])
            .compactMap { home in
                home.accessories.first { $0.reference?.server == server && $0.bridge == nil }
                    .map { HomeMembership(home: home.name, accessory: $0.name) }
            }
    }

    /// The consequence of the removed pairing for the home.
    var removalNote: String {
        "It stays in \(home) as \(accessory), with its scenes and automations, but cannot be reached: "
            + "'hap home add-accessory CODE' pairs it again, "
            + "'hap home remove accessory \"\(accessory)\" --home \"\(home)\"' removes it."
    }
}
