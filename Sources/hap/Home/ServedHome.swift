import AccessoryFiles
import Documents
import FoundationEssentials
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import Hosting
import WebConsole

/// The home that `hap serve --home` runs inside the servers.
///
/// It is stored next to the state of the servers, so that an end that is pending at a restart takes place afterwards.
struct ServedHome: Sendable {
    private let file: NamedFile
    private let home: Home
    /// The definitions that the file named at the start.
    private let definitions: [HomeDefinition]
    private let changeDetector: FileChangeDetector
    private let backend: InProcessBackend
    private let store: HomeStateStore
    private let runner: StoredHomeRunner
    private let log: HomeLog
    private let printer: LinePrinter

    /// Returns the folder that stores the homes of a state folder's servers.
    static func folder(in state: StateLocation) -> String {
        "\(state.path)/served-homes"
    }

    /// Creates the primary home of a file, for the accessories that are served.
    ///
    /// - Parameters:
    ///   - source: The home file.
    ///   - servers: The servers on which the home runs.
    ///   - state: The folder that stores the state of the servers.
    ///   - printer: The printer for the lines of the home.
    ///   - journal: The journal of the console.
    ///   - start: The initial date and time of the home, such as `2026-03-02 06:00`, or `nil` for the current time.
    ///   - lines: The buffer in which lines wait for the lines of a scenario, or `nil` to print them at once.
    ///   - tellsElapsedTime: Whether lines begin with the time since the start, as the lines of a scenario do.
    /// - Throws: ``CommandFailure`` with all errors of the file, or when nothing can be stored.
    init(
        _ source: HomeSource,
        over servers: [RunningServer],
        keptIn state: StateLocation,
        _ printer: LinePrinter,
        _ journal: EventJournal,
        startingAt start: String? = nil,
        heldIn lines: HeldLines? = nil,
        tellsElapsedTime: Bool = false
    ) async throws(CommandFailure) {
        let path = source.file.path
        let document = try source.document()
        let start = Self.instant(start, of: document) ?? MachineClock().now
        let world = await InProcessBackend(servers.map(\.simulationServer.served), startingAt: start)
        let store = try await withAsyncCommandFailures { try await HomeStateStore.open(folder: Self.folder(in: state)) }
        store.reportSetAside()
        let home: Home
        let homes: StoredHomes
        do throws(CommandFailure) {
            (home, homes, _) = try await Self.merge(document, of: path, world, store, printer)
        } catch {
            try? await store.close()
            throw error
        }
        let clock = InProcessClock(world)
        let log = HomeLog(
            printer,
            of: home,
            on: clock,
            title: home.name.text,
            startedAt: tellsElapsedTime ? start : nil,
            heldIn: lines,
            showsValues: false
        )
        file = source.file
        self.home = home
        definitions = document.servedHome?.definitions(in: path) ?? []
        changeDetector = FileChangeDetector([(path, source.stamp)])
        self.backend = world
        self.store = store
        self.log = log
        self.printer = printer
        runner = await StoredHomeRunner(
            home,
            from: homes,
            in: store,
            on: world,
            clock: clock,
            startedAt: await world.now,
            observers: [log, ConsoleHomeObserver(journal)],
            report: log.printNote
        )
    }

    /// The home for the console.
    var consoleHome: ConsoleHome { ConsoleHome(runner, in: store) }

    /// Prints which home runs.
    func printSummary() {
        printer.printLine("Home: \(home.name), \(home.automationCountText).".printable)
    }

    /// Warns if `hap home run` runs a home with the same name.
    func warnOfSameName() async {
        for warning in await HomesOfOneName.started(home.name, besides: .home) {
            printer.printEvent("Home: \(warning)".printable)
        }
    }

    /// Returns the instant of a local date and time in the time zone of a file's primary home.
    private static func instant(_ text: String?, of document: HomeDocument) -> WallInstant? {
        guard let text, let civil = CivilDateTime(text) else { return nil }
        guard let name = ObjectName(cleaning: "Home") else { return nil }
        let home = Home(id: ObjectID(1), name: name, timeZone: document.servedHome?.timeZone?.value)
        return FoundationCalendar(of: home).instant(of: civil)
    }

    /// Returns the home for scenarios and the prompt.
    ///
    /// - Parameter isStepped: Whether the home runs step by step, instead of with ``run()``.
    func simulatedHome(isStepped: Bool = false) async -> SimulatedHome {
        await SimulatedHome(runner.runner, in: backend, isStepped: isStepped)
    }

    /// Runs the home until the task is canceled, and reloads the file when it changes.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.runner.run() }
            group.addTask {
                var watch = changeDetector
                await runner.synchronize { await reload(&watch) }
            }
        }
    }

    /// Saves the state for the next run.
    ///
    /// Call it after ``run()`` has ended.
    func close() async {
        await runner.close()
        try? await store.close()
    }

    // MARK: The file

    private var path: String { file.path }

    /// Checks whether the file has changed and reloads it.
    ///
    /// - Returns: The message to print once the new version of the home runs.
    private func reload(_ watch: inout FileChangeDetector) async -> String? {
        guard watch.shouldReload([FileStamp(path: path)]) else { return nil }
        let file = file
        guard let source = await UninterruptibleWork.run({ HomeSource(file) }) else { return nil }
        watch = FileChangeDetector([(path, source.stamp)])
        do throws(CommandFailure) {
            return try await reload(source)
        } catch {
            for line in error.message.split(separator: "\n") {
                await log.printNote(String(line))
            }
            await log.printNote("\(path) is not reloaded; the home stays as it was.")
            return nil
        }
    }

    private func reload(_ source: HomeSource) async throws(CommandFailure) -> String {
        let document = try source.document()
        guard document.homes.contains(where: { $0.name.value.key == home.name.key }) else {
            throw CommandFailure.fileContent(
                "\(home.name) is no longer in the file; restart 'hap serve' for another home."
            )
        }
        let changes = try await Self.merge(document, of: path, backend, store, printer).changes
        let named = document.servedHome?.definitions(in: path) ?? []
        if Set(named.map(\.path)) != Set(definitions.map(\.path)) {
            await log.printNote("\(path) names other definitions now; restart 'hap serve' to serve them.")
        }
        switch changes.count {
        case 0: return "\(path) has the same content as before."
        case 1...3: return "\(path) reloaded: \(changes.joined(separator: " "))"
        default: return "\(path) reloaded: \(changes.count) changes."
        }
    }

    /// Merges a file into the stored homes, and prints which accessories are missing.
    ///
    /// - Returns: The home with the presence of its users, all stored homes, and the changes.
    private static func merge(
        _ document: HomeDocument,
        of path: String,
        _ world: InProcessBackend,
        _ store: HomeStateStore,
        _ printer: LinePrinter
    ) async throws(CommandFailure) -> (home: Home, homes: StoredHomes, changes: [String]) {
        let known = KnownAccessory.all(of: await world.servers())
        let (merge, stored) = try await withAsyncCommandFailures {
            try await store.updateAndReturnHomes { homes throws(HomeError) in
                let merge = ServedHomeMerge(document, of: path, into: homes, known: known)
                homes = merge.homes
                return merge
            }
        }
        guard let made = merge.home else { throw CommandFailure(merge.diagnostics) }
        for diagnostic in merge.diagnostics {
            printer.printLine(diagnostic.line.printable)
        }
        return (stored.homes.home(made.id) ?? made, stored, merge.changes)
    }
}

extension HomeStateStore {
    /// Reports on standard error that the homes of an earlier build were set aside.
    func reportSetAside() {
        guard let replacedDatabasePath else { return }
        StandardError.write(
            "hap: The homes were stored by an earlier build and are set aside as \(replacedDatabasePath); import them "
                + "again with 'hap home import FILE'.\n"
        )
    }
}

/// The result of merging a home file into the homes that were served before.
///
/// Objects keep their IDs, so that pending ends still take place.
struct ServedHomeMerge: Sendable {
    /// The homes after the merge, or the previous homes if there is an error.
    let homes: Homes
    /// The home to run, or `nil` if there is an error.
    ///
    /// This is the primary home of the file, or else its first home.
    let home: Home?
    /// The errors of the file, or the warnings about missing objects.
    let diagnostics: [Diagnostic]
    /// The changes, each as a sentence.
    let changes: [String]

    /// Merges a document.
    ///
    /// - Parameters:
    ///   - document: The content of the file.
    ///   - path: The path of the file, as it was given.
    ///   - kept: The previous homes.
    ///   - known: The accessories that are served.
    init(_ document: HomeDocument, of path: String, into kept: Homes, known: [KnownAccessory]) {
        var merge = HomeMerge(document, into: kept, known: known, extent: .complete)
        if !merge.errors.isEmpty {
            // The file takes precedence over the stored homes. Even so, IDs are not reused.
            merge = HomeMerge(document, into: Homes(nextID: kept.nextID), known: known, extent: .complete)
        }
        let wanted = document.servedHome
        let findings = HomeFile.diagnostics(of: merge, in: path) + document.unknownTimeZones(in: path)
        let home = merge.homes.homes.first { $0.name.key == wanted?.name.value.key }
        guard merge.errors.isEmpty, let home else {
            homes = kept
            self.home = nil
            self.diagnostics =
                findings.isEmpty
                ? [Diagnostic(.error, in: path, "there is no home in the file; begin with \"home: NAME\"")] : findings
            changes = []
            return
        }
        homes = merge.homes
        self.home = home
        self.diagnostics = findings
        changes = merge.changes.map(\.text)
    }
}
