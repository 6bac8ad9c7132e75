import AccessoryModel
public import ArgumentParser
import HAPController
import HAPCore
public import HomeModel
import HomeRuntime
import Hosting
import Resources
import WebConsole

/// The options that all commands for homes have.
struct HomeOptions: ParsableArguments {
    @Option(
        name: .customLong("home"),
        help: ArgumentHelp("The home. Default: the primary one.", valueName: "name"),
        completion: HomeCompletion.names(.home)
    )
    var homeName: String?

    @Flag(exclusivity: .exclusive)
    var location: HomeLocationFlag?

    @OptionGroup var controller: ControllerOptions

    init() {}

    /// Creates the options of a command that works in the homes of the controller.
    init(_ controller: ControllerOptions) {
        self.controller = controller
        homeName = nil
        location = .stored
    }

    var json: Bool { controller.json }

    /// Checks that `--home` is not given, for commands on which it would have no effect.
    ///
    /// - Throws: `ValidationError` with the reason.
    func refuseHomeOption(because reason: String) throws {
        guard homeName == nil else { throw ValidationError("\(reason); leave out --home.") }
    }

    /// Selects the homes of the controller, for commands that cannot work in a served one.
    ///
    /// - Throws: `ValidationError` with the reason if `--served` is given.
    mutating func useStoredHomes(because reason: String) throws {
        guard location != .served else { throw ValidationError("\(reason); leave out --served.") }
        location = .stored
    }

    /// Returns the home that `--home` names, or else the primary home.
    ///
    /// - Throws: ``CommandFailure`` when there is none.
    func home(in homes: Homes) throws(CommandFailure) -> Home {
        if let homeName { return try withCommandFailures { try homes.home(named: homeName) } }
        guard let home = homes.primaryHome else { throw HomeLocation.stored.missing }
        return home
    }

    /// Runs some work with the store of the controller's homes, which is created if necessary.
    ///
    /// - Throws: ``CommandFailure``, to which the errors of homes and stores are converted.
    func withStore<Result>(_ work: (HomeStateStore) async throws -> Result) async throws -> Result {
        try await withStore(in: try StateLocation(controller.state).path, work)
    }

    private func withStore<Result>(
        in folder: String,
        _ work: (HomeStateStore) async throws -> Result
    ) async throws -> Result {
        do {
            let store = try await HomeStateStore.open(folder: folder)
            if let text = store.setAsideText { StandardError.write("hap: \(text)\n") }
            return try await store.closing(work)
        } catch {
            throw CommandFailure.commandError(for: error)
        }
    }

    /// Runs some work with the homes that the options select.
    ///
    /// No store is created.
    ///
    /// - Throws: ``CommandFailure``, also if there is no home.
    func withHomes<Result>(_ work: (SelectedHomes) async throws -> Result) async throws -> Result {
        let location = try await HomeLocation(self)
        let folder = try location.folder(controller)
        guard try withCommandFailures({ try HomeStateStore.exists(in: folder) }) else { throw location.missing }
        return try await withStore(in: folder) { store in
            try await work(SelectedHomes(location: location, store: store, controller: controller))
        }
    }

    /// Returns the homes of the controller, or no homes if none are stored.
    ///
    /// No store is created.
    ///
    /// - Throws: ``CommandFailure`` if they cannot be read.
    func storedHomes() async throws(CommandFailure) -> Homes {
        try await withAsyncCommandFailures {
            let folder = try StateLocation(controller.state).path
            guard try HomeStateStore.exists(in: folder) else { return Homes() }
            return try await withStore(in: folder) { try await $0.homes().homes }
        }
    }

    /// Returns the homes that the options select, and where they are; no homes if the controller has none.
    ///
    /// - Throws: ``CommandFailure``.
    func homes() async throws -> (homes: Homes, location: HomeLocation) {
        let location = try await HomeLocation(self)
        guard location.isServed else { return (try await storedHomes(), location) }
        let folder = try location.folder(controller)
        guard try withCommandFailures({ try HomeStateStore.exists(in: folder) }) else { throw location.missing }
        return (try await withStore(in: folder) { try await $0.homes().homes }, location)
    }

    /// Runs some work with the home that the options select.
    func withHome<Result>(_ work: (Home, SelectedHomes) async throws -> Result) async throws -> Result {
        try await withHomes { selected in
            try await work(try home(in: try await selected.store.homes().homes), selected)
        }
    }

    /// Returns the servers that the controller is paired with, without creating a controller.
    ///
    /// - Returns: `nil` when the pairings cannot be read. This is reported on standard error.
    func pairedServersIfReadable() async throws(CommandFailure) -> Set<DeviceID>? {
        let state = try StateLocation(controller.state)
        do throws(StoreError) {
            let stored = try await StoredController.read(state.path)
            return Set((stored?.pairings ?? []).compactMap(\.deviceID))
        } catch {
            StandardError.write("hap: The pairings cannot be read. \(error)\n")
            return nil
        }
    }

    /// Returns the servers that the controller is paired with.
    func pairedServers() async throws -> Set<DeviceID> {
        try await controller.withController { controller in
            Set(try await controller.pairings().compactMap(\.deviceID))
        }
    }

    /// Changes the home that the options select.
    ///
    /// If the change throws, nothing is changed.
    ///
    /// - Returns: The result of the change, and the home after it.
    @discardableResult
    func edit<Result: Sendable>(
        _ change: @Sendable (inout Home) throws(HomeError) -> Result
    ) async throws -> (Result, Home) {
        try await withHome { home, selected in
            try await selected.edit(home, change)
        }
    }

    /// Prints a change and its effects.
    func report(_ line: String, _ consequences: [EditEffect] = []) throws(CommandFailure) {
        let lines = [line] + consequences.map(\.description)
        try controller.write(
            lines.map { "\($0.escapingControlCharacters)\n" }.joined(),
            HomeEditResource(line, consequences),
            HomeEditResource.format
        )
    }
}

extension SceneKind: ExpressibleByArgument {}
extension UserRole: ExpressibleByArgument {}

/// The kinds of objects that have a name in a home.
enum HomeKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case home, room, zone, group, scene, automation, accessory, service, user
}
