import AccessoryModel
import ArgumentParser
import Discovery
import HAPController
import HAPCore
import HomeModel
import HomeRuntime

/// `hap home add-accessory`: finds an accessory, pairs with it, and gives it its place in a home.
struct HomeAddAccessory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-accessory",
        abstract: "Find an accessory that is not paired, pair with it, and place it and its services.",
        discussion: """
            Without an address the accessory is looked for in the network: the one that can be paired, or the one that the \
            text of a QR code means; where there are several they are listed. One that is paired with this controller \
            already is placed by --alias, without a code; one that has changed since then becomes in the home what it is now. An \
            accessory that a home file has named, and nobody has found yet, is found by its name.

            A service is called as it calls itself and is in its accessory's room; --service "TYPE OR NAME=NEW NAME" and \
            'hap home assign' say otherwise. The accessories behind a bridge come with it.

            EXAMPLE
              hap home add-accessory "Kilgo Garage" 101-48-005 --room Garage
              hap home add-accessory 101-48-005 192.168.1.20:51826 --room Garage --name "Kilgo Garage" \\
                  --service "Lightbulb=Garage Light"
              hap home add-accessory --alias kilgo-garage --room Garage
            """
    )

    @OptionGroup var pairing: PairingArguments

    @Option(
        help: ArgumentHelp("One that is paired already.", valueName: "alias"),
        completion: ControllerCompletion.aliases
    )
    var alias: String?

    @Option(
        help: ArgumentHelp("The room that it is in.", valueName: "name"),
        completion: HomeCompletion.names(.room)
    )
    var room: String?

    @Option(help: ArgumentHelp("What it is called. Default: as it calls itself.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("What a service of it is called.", valueName: "type|name=new"))
    var service: [String] = []

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard pairing.isEmpty != (alias == nil) else {
            throw ValidationError("Write its setup code, or --alias of one that is paired already.")
        }
        for text in service where text.split(separator: "=").count != 2 {
            throw ValidationError("Write --service as \"Lightbulb=Garage Light\".")
        }
    }

    func run() async throws {
        if alias == nil { _ = try pairing.parsed() }
        try await checkBeforePairing()
        let server = try await options.controller.withController { controller in
            let accessory = try await accessory(of: controller)
            guard let id = accessory.pairing.deviceID else {
                throw failureAfterPairing(
                    CommandFailure.failed("It gives itself no device ID that a home could know it by."),
                    alias: accessory.alias
                )
            }
            return await NetworkBackend(controller).server(id, alias: accessory.alias)
        }
        if let failure = server.failure {
            throw failureAfterPairing(
                CommandFailure.unavailable(failure.escapingControlCharacters),
                alias: server.alias
            )
        }
        let placed: AddedAccessory
        let home: Home
        do {
            (placed, home) = try await options.edit { [self] home throws(HomeError) in
                let wasThere = home.accessories.contains { $0.reference?.server == server.id }
                let accessory = AccessoryPlacementOptions(room: room, name: name, services: service)
                return AddedAccessory(serverImport: try accessory.addServer(server, to: &home), wasInHome: wasThere)
            }
        } catch let error as CommandFailure {
            throw failureAfterPairing(error, alias: server.alias)
        }
        guard alias == nil || !placed.serverImport.isEmpty else {
            throw CommandFailure.usage("\(server.alias) is in \(home.name) already, as it is.")
        }
        try report(placed, of: server, in: home)
    }

    /// What has come of it in the home.
    private struct AddedAccessory: Sendable {
        var serverImport: ServerImport
        /// Whether it was in the home before it was paired.
        var wasInHome: Bool
    }

    /// Says what is wrong with the home or with names before anything is paired.
    private func checkBeforePairing() async throws {
        // What is placed by its alias is paired, and may be called as it is.
        var paired = try await options.pairedServers()
        if let alias, let own = try await deviceID(of: alias) {
            paired.remove(own)
        }
        try await options.withHome { home, _ in
            try withCommandFailures {
                try AccessoryPlacementOptions(room: room, name: name, services: service).check(in: home, paired: paired)
            }
        }
    }

    private func deviceID(of alias: String) async throws -> DeviceID? {
        try await options.controller.withController { controller in
            try await controller.accessory(alias).pairing.deviceID
        }
    }

    /// What went wrong after the accessory was paired, with the way to go on from there.
    private func failureAfterPairing(_ failure: CommandFailure, alias: String) -> CommandFailure {
        guard self.alias == nil else { return failure }
        return CommandFailure(
            failure.code,
            "\(failure.message) It is paired as \(alias); place it with --alias \(alias)."
        )
    }

    private func accessory(of controller: Controller) async throws -> PairedAccessory {
        if let alias { return try await controller.accessory(alias) }
        let (input, announced) = try pairing.parsed()
        let line = ProgressLine()
        defer { line.clear() }
        line.show("Looking for it …")
        let target = try await PairingArguments.target(for: input, accessory: announced)
        let before = try await controller.pairings().map(\.alias)
        let accessory = try await controller.pair(target, with: input, as: pairing.alias) { line.show($0.text) }
        guard pairing.alias == nil, !before.contains(accessory.alias) else { return accessory }
        let database = try await accessory.accessories()
        let main = database.first { $0.aid == .primary } ?? database.first
        let alias = try await Pair.rename(accessory, after: main?.name, in: controller)
        return try await controller.accessory(alias)
    }

    private func report(_ placed: AddedAccessory, of server: BackendServer, in home: Home) throws(CommandFailure) {
        let (takeover, alias) = (placed.serverImport, server.alias)
        let shown =
            takeover.isEmpty
            ? home.accessories.filter { $0.reference?.server == server.id }
            : (takeover.changed + takeover.added).compactMap { home.accessory($0) }
        let rows =
            shown
            .flatMap { accessory in
                accessory.services.filter(\.isVisible)
                    .map { service in
                        let room = home.room(service.room ?? accessory.room)?.name.text ?? ""
                        return [service.name.text, service.type.description, room, accessory.name.text]
                    }
            }
        let head =
            switch (self.alias, placed.wasInHome) {
            case (nil, false): "Paired as \(alias), and placed:"
            case (nil, true): "Paired again as \(alias); in \(home.name) it is"
            case (_?, _): "Placed \(alias):"
            }
        // What is new is in the table.
        let consequences = takeover.effects.filter { if case .serviceAdded = $0 { false } else { true } }
        let lines = consequences.map { "\($0.description.escapingControlCharacters)\n" }.joined()
        try options.controller.write("\(head)\n" + TextTable.text(rows, indentation: 2) + lines) { writer in
            writer.member("alias", alias)
            writer.list("services", rows) { row, writer in
                writer.member("name", row[0])
                writer.member("type", row[1])
                writer.member("room", row[2])
                writer.member("accessory", row[3])
            }
            writer.member("effects", takeover.effects.map(\.description))
        }
    }
}
