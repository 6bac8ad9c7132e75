internal import AccessoryFiles
internal import AccessoryModel
internal import Documents
package import HomeModel
package import HomeRuntime

/// The home that `hap serve --home` runs inside the servers.
///
/// It is stored next to the state of the servers, so that an end that is pending at a restart takes place afterwards.
package struct ServedHome: Sendable {
    package let file: ServedHomeFile
    private let home: Home
    private let backend: InProcessBackend
    package let store: HomeStateStore
    package let runner: StoredHomeRunner
    private let host: AccessoryHost

    /// Returns the folder that stores the homes of a state folder's servers.
    package static func folder(in state: String) -> String {
        "\(state)/served-homes"
    }

    /// Creates the primary home of a file, for the accessories that are served.
    ///
    /// - Parameters:
    ///   - source: The home file.
    ///   - host: The servers on which the home runs.
    ///   - state: The folder that stores the state of the servers.
    ///   - start: The initial date and time of the home, such as `2026-03-02 06:00`, or `nil` for the current time.
    /// - Throws: ``HostError`` with all errors of the file, or when nothing can be stored.
    package init(
        _ source: HomeSource,
        on host: AccessoryHost,
        keptIn state: String,
        startingAt start: String? = nil
    ) async throws(HostError) {
        let path = source.file.path
        let document = try source.document()
        let start = Self.instant(start, of: document) ?? MachineClock().now
        let backend = await InProcessBackend(host, startingAt: start)
        let store: HomeStateStore
        do throws(StoreError) {
            store = try await HomeStateStore.open(folder: Self.folder(in: state))
        } catch {
            throw HostError(error)
        }
        if let text = store.setAsideText { host.report(.warning(text)) }
        let home: Home
        let homes: StoredHomes
        do throws(HostError) {
            (home, homes, _) = try await Self.merge(
                ServedHomeFile.Edit(document: document),
                of: path,
                backend,
                store,
                host
            )
        } catch {
            try? await store.close()
            throw error
        }
        let clock = InProcessClock(backend)
        let observers = host.observers.compactMap { $0.observer(of: home, on: clock, from: start) }
        let report: @Sendable (String) async -> Void = { text in
            for observer in observers { await observer.report(text) }
        }
        self.home = home
        self.backend = backend
        self.store = store
        self.host = host
        file = ServedHomeFile(
            source,
            document,
            of: home.name,
            report: report,
            merge: { edit throws(HostError) in try await Self.merge(edit, of: path, backend, store, host).changes }
        )
        runner = await StoredHomeRunner(
            home,
            from: homes,
            in: store,
            on: backend,
            clock: clock,
            startedAt: await backend.now,
            observers: observers,
            report: report
        )
    }

    package var name: ObjectName { home.name }

    /// Reports which home runs.
    package func reportSummary() {
        host.report(.line("Home: \(home.name), \(home.automationCountText)."))
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
    package func simulatedHome(isStepped: Bool = false) async -> SimulatedHome {
        await SimulatedHome(runner.runner, in: backend, isStepped: isStepped)
    }

    /// Runs the home until the task is canceled, and reloads the file when it changes.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.runner.run() }
            group.addTask {
                await runner.synchronize { await file.reload() }
            }
        }
    }

    /// Saves the state for the next run.
    ///
    /// Call it after ``run()`` has ended.
    package func close() async {
        await runner.close()
        try? await store.close()
    }

    /// Merges a file into the stored homes, and prints which accessories are missing.
    ///
    /// - Returns: The home with the presence of its users, all stored homes, and the changes.
    private static func merge(
        _ edit: ServedHomeFile.Edit,
        of path: String,
        _ backend: InProcessBackend,
        _ store: HomeStateStore,
        _ host: AccessoryHost
    ) async throws(HostError) -> (home: Home, homes: StoredHomes, changes: [String]) {
        let known = KnownAccessory.all(of: await backend.servers())
        let merged = { @Sendable (kept: Homes) in ServedHomeMerge(edit, of: path, into: kept, known: known) }
        let (merge, stored): (ServedHomeMerge, StoredHomes)
        do throws(HomeStoreError) {
            if edit.isDryRun {
                do throws(StoreError) {
                    stored = try await store.homes()
                } catch {
                    throw .store(error)
                }
                merge = merged(stored.homes)
            } else {
                (merge, stored) = try await store.updateAndReturnHomes { homes throws(HomeError) in
                    let merge = merged(homes)
                    homes = merge.homes
                    return merge
                }
            }
        } catch {
            throw HostError(error)
        }
        guard let made = merge.home else { throw HostError(merge.diagnostics) }
        if !edit.isDryRun {
            for diagnostic in merge.diagnostics { host.report(.line(diagnostic.line)) }
        }
        return (stored.homes.home(made.id) ?? made, stored, merge.changes)
    }
}

extension HomeStateStore {
    /// The warning that the homes of an earlier build were set aside, or `nil` if there were none.
    package var setAsideText: String? {
        replacedDatabasePath.map {
            "The homes were stored by an earlier build and are set aside as \($0); import them again with 'hap home "
                + "import FILE'."
        }
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

    /// Merges an edit.
    ///
    /// - Parameters:
    ///   - edit: The content of the file, and what it was until now.
    ///   - path: The path of the file, as it was given.
    ///   - kept: The previous homes.
    ///   - known: The accessories that are served.
    init(_ edit: ServedHomeFile.Edit, of path: String, into kept: Homes, known: [KnownAccessory]) {
        var renamed = kept
        if let id = kept.homes.first(where: { $0.name.key == edit.document.servedHome?.name.value.key })?.id {
            for rename in edit.renames {
                try? renamed.edit(id) { home throws(HomeError) in rename.apply(to: &home) }
            }
        }
        var document = edit.document
        let differing = document.keepEnabledAutomations(of: renamed, since: edit.previous)
        var merge = HomeMerge(document, into: renamed, known: known, extent: .complete)
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
        // Commands without the name of a home mean the one that runs.
        var merged = merge.homes
        try? merged.setPrimary(home.id)
        homes = merged
        self.home = home
        // At the start only, because later the changes are reported.
        self.diagnostics = findings + (edit.previous == nil ? differing.map { Diagnostic(kept: $0, in: path) } : [])
        changes = merge.changes.map(\.text)
    }
}

extension HomeDocument {
    /// Enables and disables automations as they are in stored homes.
    ///
    /// The file says whether a new automation is enabled. Afterwards commands, the API and runs of one-time automations
    /// change this in the store, and the file changes it again only if its own value has changed.
    ///
    /// - Parameters:
    ///   - kept: The stored homes.
    ///   - previous: The content of the file until now, or `nil` at the start.
    /// - Returns: The automations of the home to run of which the file says something else. One-time automations that
    ///   the file enables are left out: they are disabled by their run.
    fileprivate mutating func keepEnabledAutomations(
        of kept: Homes,
        since previous: HomeDocument?
    ) -> [Named<AutomationRule<HomeNames>>] {
        var differing: [Named<AutomationRule<HomeNames>>] = []
        for (home, description) in homes.enumerated() {
            guard let stored = kept.homes.first(where: { $0.name.key == description.name.value.key }) else { continue }
            let before = previous?.homes.first { $0.name.value.key == description.name.value.key }
            let values = Dictionary(stored.automations.map { ($0.name.key, $0.isEnabled) }) { first, _ in first }
            let old = Dictionary((before?.automations ?? []).map { ($0.name.value.key, $0.content.isEnabled) }) {
                first,
                _ in first
            }
            for (index, automation) in description.automations.enumerated() {
                let key = automation.name.value.key
                guard let value = values[key], value != automation.content.isEnabled,
                    old[key] ?? automation.content.isEnabled == automation.content.isEnabled
                else { continue }
                homes[home].automations[index].content.isEnabled = value
                let isServed = description.name.value.key == servedHome?.name.value.key
                if isServed, !(automation.content.executesOnce && automation.content.isEnabled) {
                    differing.append(automation)
                }
            }
        }
        return differing
    }
}

extension Diagnostic {
    /// Creates the warning that an automation is enabled or disabled although the file says otherwise.
    fileprivate init(kept automation: Named<AutomationRule<HomeNames>>, in path: String) {
        let file = automation.content.isEnabled
        self.init(
            .warning,
            in: path,
            at: automation.name.location?.position,
            path: automation.name.location?.path ?? "",
            "it is \(file ? "disabled" : "enabled"), as it was last set, although the file \(file ? "enables" : "disables") it; "
                + "\(file ? "enable" : "disable") it in the running home, or write \"enabled: \(!file)\""
        )
    }
}

extension Home {
    /// The number of enabled automations, as text.
    package var automationCountText: String {
        let count = automations.count { $0.isEnabled }
        return count == 1 ? "1 automation" : "\(count) automations"
    }
}
