import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Documents
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import WebConsole

/// The flags that say in which homes a command works.
enum HomeLocationFlag: EnumerableFlag {
    case served, stored

    static func help(for value: HomeLocationFlag) -> ArgumentHelp? {
        switch value {
        case .served: "Use the home that 'hap serve --home' runs. Default, if --home names it or none is stored."
        case .stored: "Use the homes that are stored for this controller."
        }
    }
}

/// Where the homes are in which a command works.
enum HomeLocation: Sendable {
    /// In the store of the controller.
    case stored
    /// In `hap serve --home`: the process, or `nil` if none runs, so that the homes are those that it ran last.
    case served(RunningProcess?)

    /// Takes the location that the options name.
    ///
    /// Without a flag, it is the served home that `--home` names, or the only served one if none is stored. A line on
    /// standard error says so.
    ///
    /// - Throws: ``CommandFailure`` with a list if there are several.
    init(_ options: HomeOptions) async throws(CommandFailure) {
        switch options.location {
        case .stored: self = .stored
        case .served: self = .served(try await Self.process(options.controller))
        case nil:
            guard let (name, process) = try await Self.servedHome(options) else {
                self = .stored
                return
            }
            self = .served(process)
            StandardError.write(
                "hap: \(name.escapingControlCharacters) is the home that 'hap serve' runs with the state folder "
                    + "\(process.folder.escapingControlCharacters).\n"
            )
        }
    }

    /// Returns the served home that a command uses without a flag, or `nil` if it uses the stored homes.
    private static func servedHome(
        _ options: HomeOptions
    ) async throws(CommandFailure) -> (name: String, process: RunningProcess)? {
        let folder = try options.controller.state.map { path throws(CommandFailure) in try StateLocation(path) }
        var served = await RunningProcess.homes(of: RunningProcess.running([.serve], in: folder))
        if let name = options.homeName {
            served.removeAll { ObjectName.key(of: $0.name) != ObjectName.key(of: name) }
        }
        guard let first = served.first else { return nil }
        let stored = await HomeStateStore.homes(in: try StateLocation(options.controller.state).path)?.homes ?? []
        guard options.homeName != nil || stored.isEmpty else {
            let lines =
                stored.map { "--stored --home \"\($0.name)\"" }
                + served.map { "--served --home \"\($0.name)\", which 'hap serve' runs from \($0.process.folder)" }
            throw .usage(
                "There are stored homes, and one that 'hap serve' runs; choose one of these:"
                    + lines.map { "\n  \($0.escapingControlCharacters)" }.joined()
            )
        }
        guard served.count == 1 else {
            throw RunningProcess.choice(of: served.map(\.process), option: "--state")
        }
        return first
    }

    /// Returns the only process that serves a home, in the state folder or of this user, or `nil` if none does.
    ///
    /// - Throws: ``CommandFailure`` if there are several.
    private static func process(_ controller: ControllerOptions) async throws(CommandFailure) -> RunningProcess? {
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

    var isServed: Bool {
        if case .served = self { true } else { false }
    }

    /// Returns the folder with the store of the homes.
    func folder(_ controller: ControllerOptions) throws(CommandFailure) -> String {
        switch self {
        case .stored: try StateLocation(controller.state).path
        case .served(let process): ServedHome.folder(in: try StateLocation(process?.folder ?? controller.state).path)
        }
    }

    /// The failure that there is no home at this location.
    var missing: CommandFailure {
        isServed
            ? .usage("No home was served yet; serve one with 'hap serve --home FILE'.")
            : .usage("There is no home yet; add one with hap home add home NAME.")
    }

}

/// The homes in which a command works, with the store that keeps them.
struct SelectedHomes: Sendable {
    let location: HomeLocation
    let store: HomeStateStore
    fileprivate let controller: ControllerOptions

    init(location: HomeLocation, store: HomeStateStore, controller: ControllerOptions) {
        self.location = location
        self.store = store
        self.controller = controller
    }

    /// Runs some work with the accessories of the homes: those on the network, or those of the running `hap serve`.
    func withBackend<Result: Sendable>(_ work: (any HomeBackend) async throws -> Result) async throws -> Result {
        switch location {
        case .stored:
            try await controller.withController { controller in try await work(NetworkBackend(controller)) }
        case .served(let process):
            // A process without a home says so itself.
            try await work(
                try await ServedBackend(process ?? RunningProcess.only([.serve], state: controller.state))
            )
        }
    }

    /// Changes a home and returns the result of the change, and the home after it.
    ///
    /// The file of a served home is changed, and the process reads it.
    ///
    /// - Parameters:
    ///   - isState: Whether the change is one of the state that a served home keeps outside of its file.
    ///   - warns: Whether to warn if `hap serve` runs a home of the same name.
    /// - Throws: ``CommandFailure``, also if the file has changed meanwhile. Nothing is changed then.
    func edit<Result: Sendable>(
        _ home: Home,
        ofState isState: Bool,
        warns: Bool,
        _ change: @Sendable (inout Home) throws(HomeError) -> Result
    ) async throws -> (Result, Home) {
        let edit = { @Sendable (homes: inout Homes) throws(HomeError) -> (Result, Home) in
            let result = try homes.edit(home.id, change)
            guard let edited = homes.home(home.id) else {
                throw HomeError(.unknownObject, at: "", "The home was removed.", remedy: "Try again.")
            }
            return (result, edited)
        }
        guard case .served(let process) = location, !isState else {
            return try await store.updateAndWarn(warns: warns, edit)
        }
        guard let process else {
            throw CommandFailure.unavailable(
                "\(home.name.text.escapingControlCharacters) is the home of a file, and no 'hap serve' runs it; start it, or edit "
                    + "the file."
            )
        }
        let path = "/api/v1/home/file"
        let file = try await process.request("GET", path).object
        guard let name = file?["path"]?.string, let text = file?["text"]?.string,
            let revision = file?["revision"]?.string
        else { throw CommandFailure.unavailable("The process has not answered with the file of its home; try again.") }
        // The process has read the file now, even if it has just been changed.
        var homes = try await store.homes().homes
        guard let current = homes.home(home.id) else {
            throw HomeError(.unknownObject, at: "", "The home was removed.")
        }
        let outcome = try homes.transaction(edit)
        let edited = try HomeFile.text(Array(text.utf8), name: name, changing: current, to: outcome.1)
        _ = try await process.request("PUT", path) { writer in
            writer.member("text", String(decoding: edited, as: UTF8.self))
            writer.member("revision", revision)
        }
        return outcome
    }
}
