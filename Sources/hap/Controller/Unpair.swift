import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime

/// `hap unpair`: gives an accessory back.
struct Unpair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Remove the pairing with an accessory.",
        discussion: """
            The accessory forgets this controller, and is free for another home when it was the only one. One that is gone \
            for good, or has been reset, is forgotten here with --force.

            EXAMPLE
              hap unpair kilgo-garage
              hap unpair old-lamp --force
            """
    )

    @Argument(help: ArgumentHelp("The accessory.", valueName: "alias"), completion: ControllerCompletion.aliases)
    var alias: String

    @Flag(help: "Forget it here, though it cannot be told.")
    var force = false

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            var untold: ControllerError?
            do throws(ControllerError) {
                try await accessory.unpair()
            } catch {
                guard force else { throw Self.withRemedy(error, accessory.alias) }
                try await controller.forget(accessory.alias)
                untold = error
            }
            try report(accessory, untold, await homes(with: accessory))
        }
    }

    /// The homes in which it stays.
    private func homes(with accessory: PairedAccessory) async throws -> [HomeMembership] {
        guard let id = accessory.pairing.deviceID else { return [] }
        let folder = try StateLocation(options.state)
        return await HomeMembership.all(of: id, in: folder.path)
    }

    /// What is gone, or does not know this controller, cannot be told.
    private static func withRemedy(_ error: ControllerError, _ alias: String) -> ControllerError {
        var error = error
        switch error.code {
        case .unreachable, .timedOut, .notFound, .connectionLost, .refused, .requestFailed, .wrongAccessory,
            .unproven, .malformed, .discovery:
            error.remedy += " If it is gone for good, 'hap unpair \(alias) --force' forgets it."
        default: break
        }
        return error
    }

    private func report(
        _ accessory: PairedAccessory,
        _ untold: ControllerError?,
        _ homes: [HomeMembership]
    ) throws(CommandFailure) {
        let line =
            if let untold {
                "\(accessory.alias) is forgotten here. It was not told: \(untold.reason.escapingControlCharacters)\n"
            } else {
                "\(accessory.alias) is not paired with this controller any more.\n"
            }
        try options.write(line + homes.map { "\($0.removalNote.escapingControlCharacters)\n" }.joined()) { writer in
            writer.member("alias", accessory.alias)
            writer.member("deviceID", accessory.pairing.displayIdentifier)
            writer.member("notified", untold == nil)
            writer.member("homes", homes.map(\.home.text))
        }
    }
}

/// That an accessory is in a home.
struct HomeMembership: Sendable {
    let home: ObjectName
    /// What the accessory is called there: a bridge without what is behind it.
    let accessory: ObjectName

    /// Where a server's accessories are, among the homes in a state folder; nothing where there are none, or none can be read.
    static func all(of server: DeviceID, in folder: String) async -> [HomeMembership] {
        (await HomeStateStore.homes(in: folder)?.homes ?? [])
            .compactMap { home in
                home.accessories.first { $0.reference?.server == server && $0.bridge == nil }
                    .map { HomeMembership(home: home.name, accessory: $0.name) }
            }
    }

    /// What it means that the accessory is not paired any more.
    var removalNote: String {
        "It stays in \(home) as \(accessory), with its scenes and automations, and does not answer there: "
            + "'hap home add-accessory CODE' pairs it again, "
            + "'hap home remove accessory \"\(accessory)\" --home \"\(home)\"' takes it out."
    }
}
