internal import AccessoryModel
internal import DequeModule
package import HomeModel
internal import Synchronization

/// Runs a home of a store: stores its journal and what its engine has to remember, and takes over what other processes
/// change in it.
package final class StoredHomeRunner: Sendable {
    /// The time between two writes: what was reported last is lost when the power fails.
    private static let pollInterval = Duration.milliseconds(500)

    /// Runs the home.
    package let runner: HomeRunner
    private let home: Home
    /// The last change of presence that is in the home.
    private let lastPresenceChange: Int64
    private let store: HomeStateStore
    private let journal: JournalBuffer
    private let report: @Sendable (String) async -> Void
    /// Whether this process has changed the homes itself.
    private let hasUnsavedEdit = Atomic(false)
    /// Whether the stored memory may be replaced: one that cannot be read stays as it is.
    private let savesEngineState: Bool

    /// Creates a runner that continues with what an earlier run had to remember.
    ///
    /// - Parameters:
    ///   - stored: The homes as they were read with the home. Changes of presence after them reach the run, however late
    ///     it begins.
    ///   - now: What the clock shows.
    ///   - observers: Receive what happens while the home is run.
    ///   - report: Receives sentences about the store and about changes of the home.
    package init(
        _ home: Home,
        from stored: StoredHomes,
        in store: HomeStateStore,
        on backend: any HomeBackend,
        clock: any HomeClock,
        startedAt now: WallInstant,
        observers: [any HomeRunObserver],
        report: @escaping @Sendable (String) async -> Void
    ) async {
        self.home = home
        lastPresenceChange = stored.lastPresenceChange
        self.store = store
        self.report = report
        journal = JournalBuffer(observers)
        var memory = EngineState()
        var isMemoryRead = true
        do throws(StoreError) {
            memory = try await store.engineState(of: home.id)
        } catch {
            isMemoryRead = false
            await report("What was to end is not known, and what is to end from now on is not kept: \(error)")
        }
        savesEngineState = isMemoryRead
        runner = HomeRunner(home, on: backend, clock: clock, startedAt: now, memory: memory, observer: journal)
    }

    /// Notes that this process has changed the homes.
    package func recordEdit() {
        hasUnsavedEdit.store(true, ordering: .relaxed)
    }

    /// Saves what happens and takes over what other processes change, until the task is cancelled or the home is removed.
    ///
    /// - Parameter edit: Called before each save; may change the homes in this process. The sentence that it returns is
    ///   reported once the run has the change.
    package func synchronize(edit: () async -> String? = { nil }) async {
        var present = home
        var presence = lastPresenceChange
        var remembered: EngineState?
        var edits: Int64?
        var news: String?
        var hasFailed = false
        while (try? await Task.sleep(for: Self.pollInterval)) != nil {
            if let line = await edit() { news = line }
            do throws(StoreError) {
                try await saveJournal()
                let memory = await runner.memory
                if memory.pendingEnds != remembered?.pendingEnds || memory.presence != remembered?.presence
                    || memory.intervalStarts != remembered?.intervalStarts
                {
                    try await save(memory)
                    remembered = memory
                }
                let latest = try await store.dataVersion()
                let isEdited = hasUnsavedEdit.exchange(false, ordering: .relaxed)
                if news != nil || isEdited || latest != edits {
                    let kept = try await store.homes()
                    guard let changed = kept.homes.home(home.id) else {
                        return await report("The home was removed.")
                    }
                    // Who comes from here on is in the homes of the next look.
                    let changes = try await store.presenceChanges(of: home.id, after: presence)
                        .filter { $0.number <= kept.lastPresenceChange }
                    (edits, presence) = (latest, kept.lastPresenceChange)
                    await Self.apply(changed, changes, from: present, to: runner)
                    present = changed
                }
                if let line = news { await report(line) }
                news = nil
                hasFailed = false
            } catch {
                // What may not have been read is read again.
                edits = nil
                if !hasFailed {
                    await report("What happens is not kept: \(error)")
                }
                hasFailed = true
            }
        }
    }

    /// Saves what happened last, once the home runs no longer.
    package func close() async {
        do throws(StoreError) {
            try await saveJournal()
            try await save(await runner.memory)
        } catch {
            await report("What happened last is not kept: \(error)")
        }
    }

    /// Tells of everybody who came and went, one after the other, and goes on with the home as it is kept.
    ///
    /// Whoever was removed leaves before that, and whoever was added comes after it.
    private static func apply(
        _ changed: Home,
        _ changes: [PresenceChange],
        from before: Home,
        to runner: HomeRunner
    ) async {
        var present = before
        var isEdited = false
        for change in changes {
            if present.user(change.user) == nil, !isEdited {
                await replace(&present, with: changed, in: runner)
                isEdited = true
            }
            if present.user(change.user) != nil {
                await apply(change, to: runner, &present)
            }
        }
        if !isEdited { await replace(&present, with: changed, in: runner) }
        // Of more changes than are kept, what has come of them.
        for user in changed.users where present.user(user.id)?.isHome != user.isHome {
            await runner.setPresence(user.isHome, of: user.id)
        }
    }

    /// Goes on with another home, in which everybody is where they were.
    private static func replace(_ present: inout Home, with changed: Home, in runner: HomeRunner) async {
        var edited = changed
        for user in changed.users {
            try? edited.setPresence(present.user(user.id)?.isHome, of: user.id)
        }
        guard edited != present else { return }
        await runner.replace(with: edited)
        present = edited
    }

    private static func apply(_ change: PresenceChange, to runner: HomeRunner, _ present: inout Home) async {
        if change.isHome == true, let user = present.user(change.user), user.isHome == nil {
            // Whoever comes was not there.
            await runner.setPresence(false, of: user.id)
        }
        await runner.setPresence(change.isHome, of: change.user)
        try? present.setPresence(change.isHome, of: change.user)
    }

    private func save(_ memory: EngineState) async throws(StoreError) {
        guard savesEngineState else { return }
        try await store.save(memory, of: home.id)
    }

    /// Saves the journal; automations that have run once are disabled in the stored home before.
    private func saveJournal() async throws(StoreError) {
        let entries = journal.entries
        guard !entries.isEmpty else { return }
        let finished = entries.filter { $0.kind == JournalEvent.disabled.kind }.compactMap(\.automation)
        if !finished.isEmpty { try await store.disable(Set(finished), of: home.id) }
        try await store.append(entries)
        // Those that came meanwhile stay for the next time.
        journal.removeFirst(entries.count)
    }
}

/// The entries of a journal that are not on disk yet, as many as the store has room for.
private final class JournalBuffer: HomeRunObserver {
    private let buffered = Mutex<Deque<StoredJournalEntry>>([])
    private let observers: [any HomeRunObserver]

    /// - Parameter observers: Receive everything that happens, after the journal.
    init(_ observers: [any HomeRunObserver]) {
        self.observers = observers
    }

    func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
        if case .journal(let entry) = news {
            let entry = StoredJournalEntry(entry, in: home, by: FoundationCalendar(of: home))
            buffered.withLock { entries in
                entries.append(entry)
                if entries.count > StoredJournalEntry.maximumCount { entries.removeFirst() }
            }
        }
        for observer in observers {
            observer.observe(news, in: home, at: instant)
        }
    }

    /// The entries, the oldest first.
    var entries: [StoredJournalEntry] {
        buffered.withLock { Array($0) }
    }

    func removeFirst(_ count: Int) {
        buffered.withLock { $0.removeFirst(min(count, $0.count)) }
    }
}
