import AccessoryModel
public import ArgumentParser
import HAPController
import HAPCore
public import HomeModel
import HomeRuntime

/// What all commands of homes take.
struct HomeOptions: ParsableArguments {
    @Option(
        name: .customLong("home"),
        help: ArgumentHelp("Which home. Default: the primary one.", valueName: "name"),
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

    /// Refuses `--home` where it would say nothing.
    ///
    /// - Throws: `ValidationError` with the reason.
    func refuseHomeOption(because reason: String) throws {
        guard homeName == nil else { throw ValidationError("\(reason); leave out --home.") }
    }

    /// The home that is meant.
    ///
    /// - Throws: ``CommandFailure`` when there is none.
    func home(in homes: Homes) throws(CommandFailure) -> Home {
        if let homeName { return try withCommandFailures { try homes.home(named: homeName) } }
        guard let home = homes.primaryHome else {
            throw CommandFailure.usage("There is no home yet; add one with hap home add home NAME.")
        }
        return home
    }

    /// Opens the homes, and closes them after the work, however that ends.
    ///
    /// - Parameter isServed: Whether those are meant that `hap serve --home` runs, instead of the controller's own.
    /// - Throws: ``CommandFailure``, which says what the errors of homes and stores mean to scripts.
    func withStore<Result>(
        served isServed: Bool = false,
        _ work: (HomeStateStore) async throws -> Result
    ) async throws -> Result {
        let state = try StateLocation(controller.state)
        let folder = isServed ? ServedHome.folder(in: state) : state.path
        if isServed, (try? HomeStateStore.exists(in: folder)) != true {
            throw CommandFailure.usage("No home was served from \(state.path) yet; 'hap serve --home FILE' does.")
        }
        do {
            let store = try await HomeStateStore.open(folder: folder)
            store.reportSetAside()
            return try await store.closing(work)
        } catch {
            throw CommandFailure.commandError(for: error)
        }
    }

    /// The homes as they are kept; none before the first, and nothing is made then.
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

    /// Looks at the home that is meant.
    func withHome<Result>(
        served isServed: Bool = false,
        _ work: (Home, HomeStateStore) async throws -> Result
    ) async throws -> Result {
        try await withStore(served: isServed) { store in
            try await work(try home(in: try await store.homes().homes), store)
        }
    }

    /// The servers that the controller is paired with, as far as it can be read; makes no controller.
    ///
    /// - Returns: `nil` when it cannot be read, which is said on standard error.
    func pairedServersIfReadable() async throws(CommandFailure) -> Set<DeviceID>? {
        let state = try StateLocation(controller.state)
        do throws(StoreError) {
            let stored = try await StoredController.read(state.path)
            return Set((stored?.pairings ?? []).compactMap(\.deviceID))
        } catch {
            StandardError.write("hap: Which accessories are paired is not known. \(error)\n")
            return nil
        }
    }

    /// The servers that the controller is paired with.
    func pairedServers() async throws -> Set<DeviceID> {
        try await controller.withController { controller in
            Set(try await controller.pairings().compactMap(\.deviceID))
        }
    }

    /// Changes the home that is meant, all or nothing.
    ///
    /// - Returns: what the change returns, and the home as it is then.
    @discardableResult
    func edit<Result: Sendable>(
        _ change: @Sendable (inout Home) throws(HomeError) -> Result
    ) async throws -> (Result, Home) {
        try await withStore { store in
            let id = try home(in: try await store.homes().homes).id
            return try await store.update { homes throws(HomeError) in
                let result = try homes.edit(id, change)
                guard let home = homes.home(id) else {
                    throw HomeError(.unknownObject, at: "", "The home is gone.", remedy: "Do it again.")
                }
                return (result, home)
            }
        }
    }

    /// Says what has come of a change besides itself.
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

/// What can be named in a home.
enum HomeKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case home, room, zone, group, scene, automation, accessory, service, user
}

/// Which of the homes in a state folder are meant.
struct HomeServedOption: ParsableArguments {
    @Flag(help: "The home that 'hap serve --home' runs, instead of one of this controller.")
    var served = false
}
