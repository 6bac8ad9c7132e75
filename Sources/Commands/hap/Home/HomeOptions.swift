import AccessoryModel
public import ArgumentParser
import HAPController
import HAPCore
public import HomeModel
import HomeRuntime
import Hosting
import WebConsole

/// The options that all commands for homes have.
struct HomeOptions: ParsableArguments {
    @Option(
        name: .customLong("home"),
        help: ArgumentHelp("The home. Default: the primary one.", valueName: "name"),
        completion: HomeCompletion.names(.home)
    )
    var homeName: String?

    @OptionGroup var controller: ControllerOptions

    init() {}

    /// Creates the options of a command that does not work in one home.
    init(_ controller: ControllerOptions) {
        self.controller = controller
        homeName = nil
    }

    var json: Bool { controller.json }

    /// Checks that `--home` is not given, for commands on which it would have no effect.
    ///
    /// - Throws: `ValidationError` with the reason.
    func refuseHomeOption(because reason: String) throws {
        guard homeName == nil else { throw ValidationError("\(reason); leave out --home.") }
    }

    /// Returns the home that `--home` names, or else the primary home.
    ///
    /// - Throws: ``CommandFailure`` when there is none.
    func home(in homes: Homes) throws(CommandFailure) -> Home {
        if let homeName { return try withCommandFailures { try homes.home(named: homeName) } }
        guard let home = homes.primaryHome else {
            throw CommandFailure.usage("There is no home yet; add one with hap home add home NAME.")
        }
        return home
    }

    /// Runs some work with the store of the homes, and closes it even if the work throws.
    ///
    /// - Parameters:
    ///   - isServed: Whether to use the homes that `hap serve --home` runs, instead of the controller's own.
    ///   - work: The work.
    /// - Throws: ``CommandFailure``, to which the errors of homes and stores are converted.
    func withStore<Result>(
        served isServed: Bool = false,
        _ work: (HomeStateStore) async throws -> Result
    ) async throws -> Result {
        let running = try await isServed ? processWithHome() : nil
        let state = try StateLocation(running?.folder ?? controller.state)
        let folder = isServed ? ServedHome.folder(in: state.path) : state.path
        if isServed, (try? HomeStateStore.exists(in: folder)) != true {
            throw CommandFailure.usage(
                "No home was served from \(state.path) yet; serve one with 'hap serve --home FILE'."
            )
        }
        do {
            let store = try await HomeStateStore.open(folder: folder)
            if let text = store.setAsideText { StandardError.write("hap: \(text)\n") }
            return try await store.closing(work)
        } catch {
            throw CommandFailure.commandError(for: error)
        }
    }

    /// Returns the only process that serves a home, in the state folder or of this user, or `nil` if none does.
    ///
    /// - Throws: ``CommandFailure`` if there are several.
    func processWithHome() async throws(CommandFailure) -> RunningProcess? {
        let folder = try controller.state.map { path throws(CommandFailure) in try StateLocation(path) }
        let running = RunningProcess.running([.serve], in: folder)
        // One that does not answer may have a home, too, so another one must not be used in its place.
        if running.count == 1 { return running[0] }
        let found = await RunningProcess.homes(of: running).map(\.process)
        for process in running where !found.contains(process) {
            if (try? await process.client.send("GET", "/healthz", within: .seconds(2))) == nil {
                throw RunningProcess.choice(of: running, option: "--state")
            }
        }
        guard found.count > 1 else { return found.first }
        throw RunningProcess.choice(of: found, option: "--state")
    }

    /// Returns the stored homes, or no homes if none are stored.
    ///
    /// In this case no store is created.
    ///
    /// - Parameter isServed: As in ``withStore(served:_:)``.
    /// - Throws: ``CommandFailure``.
    func homes(served isServed: Bool) async throws -> Homes {
        let state = try StateLocation(controller.state)
        if !isServed {
            guard try withCommandFailures({ try HomeStateStore.exists(in: state.path) }) else { return Homes() }
        }
        return try await withStore(served: isServed) { try await $0.homes().homes }
    }

    /// Runs some work with the home that the options select.
    func withHome<Result>(
        served isServed: Bool = false,
        _ work: (Home, HomeStateStore) async throws -> Result
    ) async throws -> Result {
        try await withStore(served: isServed) { store in
            try await work(try home(in: try await store.homes().homes), store)
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
    /// - Parameter warns: Whether to warn if `hap serve` runs a home of the same name.
    /// - Returns: The result of the change, and the home after it.
    @discardableResult
    func edit<Result: Sendable>(
        warns: Bool = true,
        _ change: @Sendable (inout Home) throws(HomeError) -> Result
    ) async throws -> (Result, Home) {
        try await withStore { store in
            let id = try home(in: try await store.homes().homes).id
            return try await store.updateAndWarn(warns: warns) { homes throws(HomeError) in
                let result = try homes.edit(id, change)
                guard let home = homes.home(id) else {
                    throw HomeError(.unknownObject, at: "", "The home was removed.", remedy: "Try again.")
                }
                return (result, home)
            }
        }
    }

    /// Prints a change and its effects.
    func report(_ line: String, _ consequences: [EditEffect] = []) throws(CommandFailure) {
        let lines = [line] + consequences.map(\.description)
        try controller.write(lines.map { "\($0.escapingControlCharacters)\n" }.joined()) { writer in
            writer.member("message", line)
            writer.member("effects", consequences.map(\.description))
        }
    }
}

extension SceneKind: ExpressibleByArgument {}
extension UserRole: ExpressibleByArgument {}

/// The kinds of objects that have a name in a home.
enum HomeKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case home, room, zone, group, scene, automation, accessory, service, user
}

/// The option that selects the served homes in a state folder.
struct HomeServedOption: ParsableArguments {
    @Flag(help: "Use the home that 'hap serve --home' runs, instead of one of this controller.")
    var served = false
}
