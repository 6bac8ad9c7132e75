import AccessoryFiles
import Documents
import Foundation
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import SimulationRuntime

/// The home that `hap serve --home` runs inside the servers.
///
/// It is kept beside what the servers keep, so that what was begun before a restart ends after it.
struct ServedHome: Sendable {
    private let path: String
    private let home: Home
    private let changeDetector: FileChangeDetector
    private let backend: InProcessBackend
    private let store: HomeStateStore
    private let runner: StoredHomeRunner
    private let log: HomeLog
    private let printer: LinePrinter

    /// Where the homes of a state folder's servers are kept.
    static func folder(in state: StateLocation) -> String {
        "\(state.path)/served-homes"
    }

    /// Makes the primary home of a file with what is served.
    ///
    /// - Parameters:
    ///   - start: What its calendar and clock show now, such as `2026-03-02 06:00`; `nil` for what they do.
    ///   - lines: Where lines wait for those of a scenario; `nil` prints them at once.
    ///   - tellsElapsedTime: Whether lines begin with the time since the start, as those of a scenario.
    /// - Throws: ``CommandFailure`` with everything that is wrong in the file, or when nothing can be kept.
    init(
        _ path: String,
        over servers: [RunningServer],
        keptIn state: StateLocation,
        _ printer: LinePrinter,
        startingAt start: String? = nil,
        heldIn lines: HeldLines? = nil,
        tellsElapsedTime: Bool = false
    ) async throws(CommandFailure) {
        guard let source = await UninterruptibleWork.run({ HomeSource(path) }) else { throw .interrupted }
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
        self.path = path
        self.home = home
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
            observers: [log],
            report: log.printNote
        )
    }

    /// Says what runs.
    func printSummary() {
        printer.printLine("Home: \(home.name), \(home.automationCountText).".printable)
    }

    /// The moment at which the clocks of a file's home show this.
    private static func instant(_ text: String?, of document: HomeDocument) -> WallInstant? {
        guard let text, let civil = CivilDateTime(text) else { return nil }
        let primary = document.homes.first { $0.isPrimary } ?? document.homes.first
        guard let name = ObjectName(cleaning: "Home") else { return nil }
        let home = Home(id: ObjectID(1), name: name, timeZone: primary?.timeZone?.value)
        return FoundationCalendar(of: home).instant(of: civil)
    }

    /// The home as scenarios and the prompt act on it.
    ///
    /// - Parameter isStepped: Whether it is run step by step, and not by ``run()``.
    func simulatedHome(isStepped: Bool = false) async -> SimulatedHome {
        await SimulatedHome(runner.runner, in: backend, isStepped: isStepped)
    }

    /// Runs the home, as the file has it at each time, until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.runner.run() }
            group.addTask {
                var watch = changeDetector
                await runner.synchronize { await reload(&watch) }
            }
        }
    }

    /// Keeps what the next run has to remember, once ``run()`` has ended.
    func close() async {
        await runner.close()
        try? await store.close()
    }

    // MARK: The file

    /// Looks at the file; answers what there is to say once the home runs as it is now.
    private func reload(_ watch: inout FileChangeDetector) async -> String? {
        guard watch.shouldReload([FileStamp(path: path)]) else { return nil }
        let path = path
        guard let source = await UninterruptibleWork.run({ HomeSource(path) }) else { return nil }
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
                "\(home.name) is not in the file any more; restart 'hap serve' for another home."
            )
        }
        let changes = try await Self.merge(document, of: path, backend, store, printer).changes
        switch changes.count {
        case 0: return "\(path) says what it said before."
        case 1...3: return "\(path) reloaded: \(changes.joined(separator: " "))"
        default: return "\(path) reloaded: \(changes.count) things are different."
        }
    }

    /// Brings what a file says into the homes that are kept, and says what is missing.
    ///
    /// - Returns: The home with who is at home, the homes that it was read with, and what is different from before.
    private static func merge(
        _ document: HomeDocument,
        of path: String,
        _ world: InProcessBackend,
        _ store: HomeStateStore,
        _ printer: LinePrinter
    ) async throws(CommandFailure) -> (home: Home, homes: StoredHomes, changes: [String]) {
        let known = KnownAccessory.all(of: await world.servers())
        let merge = try await withAsyncCommandFailures {
            try await store.update { homes throws(HomeError) in
                let merge = ServedHomeMerge(document, of: path, into: homes, known: known)
                homes = merge.homes
                return merge
            }
        }
        guard let made = merge.home else { throw CommandFailure(merge.diagnostics) }
        for diagnostic in merge.diagnostics {
            printer.printLine(diagnostic.line.printable)
        }
        let stored = try await withAsyncCommandFailures { try await store.homes() }
        return (stored.homes.home(made.id) ?? made, stored, merge.changes)
    }
}

extension HomeStateStore {
    /// Reports on standard error that the homes of an earlier build were set aside.
    func reportSetAside() {
        guard let replacedDatabasePath else { return }
        StandardError.write(
            "hap: The homes were stored by an earlier build and are set aside as \(replacedDatabasePath); import them again with "
                + "'hap home import FILE'.\n"
        )
    }
}

/// What a home file makes of the homes that were served before: things keep their numbers, so that what is to end does.
struct ServedHomeMerge: Sendable {
    /// The homes then; those from before when there is an error.
    let homes: Homes
    /// The home that is to run: the primary one of the file, else its first; `nil` when there is an error.
    let home: Home?
    /// What there is to say of the file: errors, or what is missing.
    let diagnostics: [Diagnostic]
    /// What is different from before, each a sentence.
    let changes: [String]

    /// - Parameters:
    ///   - path: The file, as it was named.
    ///   - kept: The homes from before.
    ///   - known: What is served.
    init(_ document: HomeDocument, of path: String, into kept: Homes, known: [KnownAccessory]) {
        var merge = HomeMerge(document, into: kept, known: known, extent: .complete)
        if !merge.errors.isEmpty {
            // The file counts, and not what stood in it before; numbers are not given again all the same.
            merge = HomeMerge(document, into: Homes(nextID: kept.nextID), known: known, extent: .complete)
        }
        let wanted = document.homes.first(where: \.isPrimary) ?? document.homes.first
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
