import AccessoryFiles
import AccessoryModel
import ArgumentParser
import HomeModel
import HomeRuntime
import Hosting
import WebConsole

/// The flags that say in which homes a command works.
enum HomeLocationFlag: EnumerableFlag {
    case served, stored

    static func help(for value: HomeLocationFlag) -> ArgumentHelp? {
        switch value {
        case .served: "Use the home of 'hap serve --home'. The default if --home names it, or if no home is stored."
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
    /// - Throws: ``CommandFailure`` with a list if there are several, or `StoreError`.
    init(_ options: HomeOptions) async throws {
        switch options.location {
        case .stored: self = .stored
        case .served: self = .served(try await Self.process(options))
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
    private static func servedHome(_ options: HomeOptions) async throws -> (name: String, process: RunningProcess)? {
        let served = try await served(try running(options.controller), named: options.homeName)
        guard let first = served.first else { return nil }
        let stored = try await options.storedHomes().homes
        guard options.homeName != nil || stored.isEmpty else {
            let lines =
                stored.map { "--stored --home \"\($0.name)\"" }
                + served.map { "--served --state \($0.process.folder), where 'hap serve' runs \"\($0.name)\"" }
            throw CommandFailure.usage(
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
    private static func process(_ options: HomeOptions) async throws -> RunningProcess? {
        let running = try running(options.controller)
        // The only process says itself that it has no home.
        if running.count == 1 { return running[0] }
        let found = try await served(running, named: options.homeName).map(\.process)
        guard found.count > 1 else { return found.first }
        throw RunningProcess.choice(of: found, option: "--state")
    }

    private static func running(_ controller: ControllerOptions) throws -> [RunningProcess] {
        let folder = try controller.state.map { path throws in try StateLocation(path) }
        return RunningProcess.running([.serve], in: folder)
    }

    /// Returns those of some processes that serve a home, or one of a name.
    ///
    /// - Throws: ``CommandFailure`` if one does not answer, because it may have the home that is meant.
    private static func served(
        _ processes: [RunningProcess],
        named name: String?
    ) async throws -> [(name: String, process: RunningProcess)] {
        let found = await RunningProcess.homes(of: processes)
        for process in processes where !found.contains(where: { $0.process == process }) {
            if (try? await process.client.send("GET", "/healthz", within: .seconds(2))) == nil {
                throw CommandFailure.unavailable(
                    "'hap serve' with the state folder \(process.folder.escapingControlCharacters) does not answer, so it is "
                        + "not known whether it runs the home; end it, or use --stored or --state."
                )
            }
        }
        guard let name else { return found }
        return found.filter { ObjectName.key(of: $0.name) == ObjectName.key(of: name) }
    }

    var isServed: Bool {
        if case .served = self { true } else { false }
    }

    /// Returns the folder with the store of the homes.
    func folder(_ controller: ControllerOptions) throws -> String {
        switch self {
        case .stored: try StateLocation(controller.state).path
        case .served(let process): ServedHome.folder(in: try StateLocation(process?.folder ?? controller.state).path)
        }
    }

    /// The failure of a command that needs a home, if there is none here.
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
    let controller: ControllerOptions

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

    /// Changes a home, and returns the result of the change and the home after it.
    ///
    /// The file of a served home is changed, and the process reads it.
    ///
    /// - Throws: ``CommandFailure``, also if the file has changed meanwhile. Nothing is changed then.
    func edit<Result: Sendable>(
        _ home: Home,
        _ change: @Sendable (inout Home) throws(HomeError) -> Result
    ) async throws -> (Result, Home) {
        let edit = { @Sendable (homes: inout Homes) throws(HomeError) -> (Result, Home) in
            let result = try homes.edit(home.id, change)
            guard let edited = homes.home(home.id) else {
                throw HomeError(.unknownObject, at: "", "The home was removed.", remedy: "Try again.")
            }
            return (result, edited)
        }
        guard location.isServed else { return try await store.update(edit) }
        let process = try process(running: home)
        let file = try await process.homeFile()
        // The process has read the file now, even if it has just been changed.
        var homes = try await store.homes().homes
        guard let current = homes.home(home.id) else { throw location.missing }
        let outcome = try homes.transaction(edit)
        let text = try HomeFile.text(Array(file.text.utf8), name: file.path, changing: current, to: outcome.1)
        try await process.replaceHomeFile(
            file,
            with: String(decoding: text, as: UTF8.self),
            renames: HomeFileRename.all(from: current, to: outcome.1)
        )
        return outcome
    }

    /// Replaces the homes by edited ones.
    ///
    /// For a served home, this changes its file. Whether an automation is enabled is stored separately.
    ///
    /// - Parameters:
    ///   - homes: The homes before the edit.
    ///   - edited: The homes after it; only one of them may differ.
    /// - Throws: ``CommandFailure`` if the homes have changed meanwhile. Nothing is changed then.
    func replace(_ homes: Homes, with edited: Homes) async throws {
        guard location.isServed else {
            return try await store.updateAndWarn { stored throws(HomeError) in
                guard stored == homes else { throw .changedMeanwhile }
                stored = edited
            }
        }
        for (old, new) in zip(homes.homes, edited.homes) where old != new {
            _ = try await edit(old) { home throws(HomeError) in
                guard home == old else { throw .changedMeanwhile }
                home = new
            }
            for automation in new.automations
            where old.automation(automation.id)?.isEnabled == !automation.isEnabled {
                try await store.setAutomation(named: automation.name.text, isEnabled: automation.isEnabled, in: new)
            }
        }
    }

    /// The number of times that an edit is made again because another program has changed the homes.
    private static let attempts = 5

    /// Edits the homes, and stores them unless it is a dry run.
    ///
    /// The edit is made again if another program changes the homes before they are stored.
    ///
    /// - Parameter edit: Returns the edited homes, of which only one differs, and a result.
    /// - Throws: An error of the edit, or ``HomeError/changedMeanwhile``. Nothing is changed then.
    func update<Result>(isDryRun: Bool, _ edit: (Homes) throws -> (Homes, Result)) async throws -> Result {
        var attempt = 1
        while true {
            let homes = try await store.homes().homes
            let (edited, result) = try edit(homes)
            guard !isDryRun else { return result }
            do {
                try await replace(homes, with: edited)
                return result
            } catch  where attempt < Self.attempts && HomeError.isConflict(error) {
                attempt += 1
            }
        }
    }

    /// Returns the file of a served home, or `nil` for a home of the controller.
    func runningFile(of home: Home) async throws -> ServedHomeFile.Content? {
        guard location.isServed else { return nil }
        return try await process(running: home).homeFile()
    }

    /// Replaces the text of the file of a served home, which the process then reads.
    ///
    /// - Throws: ``CommandFailure`` if the text has errors or the file has changed meanwhile. Nothing is changed then.
    func replace(_ file: ServedHomeFile.Content, of home: Home, with text: String) async throws {
        try await process(running: home).replaceHomeFile(file, with: text)
    }

    private func process(running home: Home) throws -> RunningProcess {
        guard case .served(let process?) = location else {
            throw CommandFailure.unavailable(
                "\(home.name.text.escapingControlCharacters) is the home of a file, and no 'hap serve' runs it; start it, or edit "
                    + "the file."
            )
        }
        return process
    }
}

extension HomeError {
    /// The error that another program has changed a home before an edit was stored.
    static let changedMeanwhile = HomeError(
        .wrongHome,
        at: "",
        "Another program has changed the homes in the meantime.",
        remedy: "Try again."
    )

    /// Returns whether an error is ``changedMeanwhile``, thrown by a store or by an edit.
    static func isConflict(_ error: any Error) -> Bool {
        switch error {
        case HomeStoreError.refused(let error): error == changedMeanwhile
        case let error as HomeError: error == changedMeanwhile
        default: false
        }
    }
}
