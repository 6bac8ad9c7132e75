import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources
import WebConsole

/// The options that all commands for homes have.
struct HomeOptions: ParsableArguments {
    @Option(
        name: .customLong("home"),
        help: .value("name", "The home. Default: the primary one."),
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
    /// - Throws: `HomeError` if no home has the name, or ``CommandFailure`` if there is none.
    func home(in homes: Homes) throws -> Home {
        if let homeName { return try homes.home(named: homeName) }
        guard let home = homes.primaryHome else { throw HomeLocation.stored.missing }
        return home
    }

    /// Runs some work with the store of the controller's homes, which is created if necessary.
    func withStore<Result>(_ work: (HomeStateStore) async throws -> Result) async throws -> Result {
        try await withStore(in: try StateLocation(controller.state).path, work)
    }

    private func withStore<Result>(
        in folder: String,
        _ work: (HomeStateStore) async throws -> Result
    ) async throws -> Result {
        let store = try await HomeStateStore.open(folder: folder)
        if let text = store.setAsideText { StandardError.write("hap: \(text)\n") }
        return try await store.closing(work)
    }

    /// Runs some work with the homes that the options select.
    ///
    /// No store is created.
    ///
    /// - Throws: ``CommandFailure`` if there is no home, `StoreError`, or the error of the work.
    func withHomes<Result>(_ work: (SelectedHomes) async throws -> Result) async throws -> Result {
        let location = try await HomeLocation(self)
        let folder = try location.folder(controller)
        guard try HomeStateStore.exists(in: folder) else { throw location.missing }
        return try await withStore(in: folder) { store in
            try await work(SelectedHomes(location: location, store: store, controller: controller))
        }
    }

    /// Returns the homes of the controller, or no homes if none are stored.
    ///
    /// No store is created.
    ///
    /// - Throws: `StoreError` if they cannot be read, or ``CommandFailure`` without a folder.
    func storedHomes() async throws -> Homes {
        let folder = try StateLocation(controller.state).path
        guard try HomeStateStore.exists(in: folder) else { return Homes() }
        return try await withStore(in: folder) { try await $0.homes().homes }
    }

    /// Returns the homes that the options select, and where they are; no homes if the controller has none.
    func homes() async throws -> (homes: Homes, location: HomeLocation) {
        let location = try await HomeLocation(self)
        guard location.isServed else { return (try await storedHomes(), location) }
        let folder = try location.folder(controller)
        guard try HomeStateStore.exists(in: folder) else { throw location.missing }
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
    func pairedServersIfReadable() async throws -> Set<DeviceID>? {
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

    /// Changes the homes that the options select, unless it is a dry run.
    ///
    /// - Parameter change: Receives the homes, and the id of the home that `--home` names, or else of the primary one.
    /// - Returns: The result of the change.
    /// - Throws: An error of the change, or ``CommandFailure`` if the homes have changed meanwhile. Nothing is changed
    ///   then.
    func editHomes<Result>(
        isDryRun: Bool = false,
        _ change: (inout Homes, ObjectID<Home>) throws(HomeError) -> Result
    ) async throws -> Result {
        try await withHomes { selected in
            try await selected.update(isDryRun: isDryRun) { homes in
                let id = try home(in: homes).id
                var edited = homes
                let result = try edited.transaction { homes throws(HomeError) in try change(&homes, id) }
                return (edited, result)
            }
        }
    }

    /// Prints a change and its effects.
    func report(_ line: String, _ effects: [String] = []) throws {
        try controller.write(
            ([line] + effects).map { "\($0.escapingControlCharacters)\n" }.joined(),
            HomeEditResource(line, effects),
            HomeEditResource.format
        )
    }
}
