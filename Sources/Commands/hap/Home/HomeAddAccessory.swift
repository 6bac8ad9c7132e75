import AccessoryModel
import ArgumentParser
import Discovery
import Documents
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources

/// The command `hap home add-accessory`, which finds an accessory, pairs with it, and places it in a home.
struct HomeAddAccessory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-accessory",
        abstract: "Find an accessory that is not paired, pair with it, and place it and its services.",
        discussion: """
            Without an address, the accessory is searched for on the network: the one that the text of a QR code \
            identifies, or the only one that can be paired. If there are several, they are listed. With --alias, an \
            accessory that is already paired is placed without a code, or updated if it has changed since it was \
            placed. An accessory that a home file names, but that was not found before, is found by its name.

            A service keeps its own name and is in the room of its accessory. Use --service "TYPE OR NAME=NEW NAME" \
            and 'hap home move service' to change this. The accessories of a bridge are added together with it.

            With --all, everything that a running 'hap serve' of this user serves is added. The setup codes come from \
            that process, and no network discovery is needed. Import the file of the home first: its accessories are \
            found by their names, and get the rooms and names of the file. Accessories that are already paired are \
            placed or skipped. If one cannot be added, the others are, and the command exits with the status of its \
            error.

            EXAMPLE
              hap home add-accessory "Kilgo Garage" 101-48-005 --room Garage
              hap home add-accessory 101-48-005 192.168.1.20:51826 --room Garage --name "Kilgo Garage" \\
                  --service "Lightbulb=Garage Light"
              hap home add-accessory --alias kilgo-garage --room Garage
              hap home add-accessory --all
            """
    )

    @OptionGroup var pairing: PairingArguments

    @Option(
        help: .value("alias", "The alias of an accessory that is already paired."),
        completion: ControllerCompletion.aliases
    )
    var alias: String?

    @Option(help: .value("name", "The room of the accessory."), completion: HomeCompletion.names(.room))
    var room: String?

    @Option(help: .value("name", "The name of the accessory. Default: its own name."))
    var name: String?

    @Option(help: .value("type|name=new", "A new name for one of its services."))
    var service: [String] = []

    @Flag(help: "Add all accessories that a running 'hap serve' of this user serves.")
    var all = false

    @Option(
        name: .customLong("served-from"),
        help: .value(
            "folder",
            "With --all: the state folder of the running 'hap serve'. Default: the one that serves most accessories of "
                + "the home."
        ),
        completion: .directory
    )
    var servedFrom: String?

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        try options.useStoredHomes(because: "Accessories are added to a home of this controller")
        guard servedFrom == nil || all else {
            throw ValidationError("--served-from names the 'hap serve' whose accessories --all adds; add --all.")
        }
        if all {
            guard pairing.isEmpty, alias == nil, room == nil, name == nil, service.isEmpty else {
                throw ValidationError(
                    "--all takes setup codes from 'hap serve', and rooms and names from the home; leave out the others."
                )
            }
            return
        }
        guard pairing.isEmpty != (alias == nil) else {
            throw ValidationError("Write a setup code, or the --alias of an accessory that is already paired.")
        }
        for text in service where text.split(separator: "=").count != 2 {
            throw ValidationError("Write --service as \"Lightbulb=Garage Light\".")
        }
    }

    func run() async throws {
        if all { return try await HomeAddAllAccessories(options: options, folder: servedFrom).run() }
        if alias == nil { _ = try pairing.parsed() }
        try await checkBeforePairing()
        let server = try await options.controller.withController { controller in
            let accessory = try await accessory(of: controller)
            guard let id = accessory.pairing.deviceID else {
                throw failureAfterPairing(
                    CommandFailure.failed("The accessory has no valid device ID, which a home needs."),
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
        } catch {
            throw failureAfterPairing(CommandFailure(error), alias: server.alias)
        }
        guard alias == nil || !placed.serverImport.isEmpty else {
            throw CommandFailure.usage("\(server.alias) is already in \(home.name) and has not changed.")
        }
        try report(placed, of: server, in: home)
    }

    /// The result of adding an accessory to a home.
    private struct AddedAccessory: Sendable {
        var serverImport: ServerImport
        /// Whether the accessory was in the home before it was paired.
        var wasInHome: Bool
    }

    /// Reports errors in the names and in the home before anything is paired.
    private func checkBeforePairing() async throws {
        // An accessory that is placed by its alias is already paired, so its own name is allowed.
        var paired = try await options.pairedServers()
        if let alias, let own = try await deviceID(of: alias) {
            paired.remove(own)
        }
        try await options.withHome { home, _ in
            try AccessoryPlacementOptions(room: room, name: name, services: service).check(in: home, paired: paired)
        }
    }

    private func deviceID(of alias: String) async throws -> DeviceID? {
        try await options.controller.withController { controller in
            try await controller.accessory(alias).pairing.deviceID
        }
    }

    /// Returns a failure after the accessory was paired, with the command that continues from there.
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
        line.show("Looking for the accessory …")
        let target = try await PairingArguments.target(for: input, accessory: announced)
        let paired = try await Pair.pair(target, with: input, as: pairing.alias, in: controller) { line.show($0.text) }
        return try await controller.accessory(paired.alias)
    }

    /// Returns the visible services of an accessory, each with its name, type, room and accessory.
    static func services(of accessory: HomeAccessory, in home: Home) -> [PlacedService] {
        accessory.services.filter(\.isVisible)
            .map { service in
                PlacedService(
                    name: service.name.text,
                    type: service.type.description,
                    room: home.room(service.room ?? accessory.room)?.name.text ?? "",
                    accessory: accessory.name.text
                )
            }
    }

    private func report(_ placed: AddedAccessory, of server: BackendServer, in home: Home) throws {
        let (takeover, alias) = (placed.serverImport, server.alias)
        let shown =
            takeover.isEmpty
            ? home.accessories.filter { $0.reference?.server == server.id }
            : (takeover.changed + takeover.added).compactMap { home.accessory($0) }
        let services = shown.flatMap { Self.services(of: $0, in: home) }
        let head =
            switch (self.alias, placed.wasInHome) {
            case (nil, false): "Paired as \(alias), and placed:"
            case (nil, true): "Paired again as \(alias); its services in \(home.name):"
            case (_?, _): "Placed \(alias):"
            }
        // The table already shows new services.
        let consequences = takeover.effects.filter { if case .serviceAdded = $0 { false } else { true } }
        let lines = consequences.map { "\($0.description.escapingControlCharacters)\n" }.joined()
        let rows = services.map { [$0.name, $0.type, $0.room, $0.accessory] }
        try options.controller.write(
            "\(head)\n" + TextTable.text(rows, indentation: 2) + lines,
            AddAccessoryResource(alias: alias, services: services, effects: takeover.effects.map(\.description)),
            AddAccessoryResource.format
        )
    }
}

/// A service of an accessory that was added to a home.
struct PlacedService: Sendable {
    var name: String
    var type: String
    var room: String
    var accessory: String

    static let format = Format<PlacedService>(
        response: "PlacedService",
        .written("name", \.name, .string, "The name."),
        .written("type", \.type, .string, "The type in words."),
        .written("room", \.room, .string, "The room; empty for none."),
        .written("accessory", \.accessory, .string, "The accessory.")
    )
}

/// An accessory that was added to a home.
struct AddAccessoryResource: Sendable {
    var alias: String
    var services: [PlacedService]
    var effects: [String]

    static let format = Format<AddAccessoryResource>(
        response: "AddedAccessory",
        .written("alias", \.alias, .string, "The alias of the paired accessory."),
        .written("services", \.services, .list(of: PlacedService.format), "Its services in the home."),
        .written("effects", \.effects, .list(of: .string), "What else has changed, in sentences.")
    )
}
