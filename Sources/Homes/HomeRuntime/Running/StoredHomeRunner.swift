internal import AccessoryModel
internal import AsyncPrimitives
internal import DequeModule
package import HomeModel
internal import Synchronization

/// A runner for a home in a store.
///
/// It saves the journal and the state of the engine, and applies the changes that other processes make to the home.
package final class StoredHomeRunner: Sendable {
    /// The time between two saves.
    ///
    /// Entries since the last save are lost on a power failure.
    private static let pollInterval = Duration.milliseconds(500)

    /// The runner of the home.
    package let runner: HomeRunner
    private let home: Home
    /// The number of the last presence change that the home already includes.
    private let lastPresenceChange: Int64
    private let store: HomeStateStore
    private let journal: JournalBuffer
    private let report: @Sendable (String) async -> Void
    /// Whether this process has changed the homes since the last check.
    private let hasUnsavedEdit = Atomic(false)
    private let edited = AsyncSignal()
    private let changes = ChangeObserver()
    /// Whether the stored engine state may be replaced.
    ///
    /// A state that cannot be read is left unchanged.
    private let savesEngineState: Bool

    /// Creates a runner that continues with the stored engine state of an earlier run.
    ///
    /// - Parameters:
    ///   - home: The home to run.
    ///   - stored: The stored homes from which `home` was read. The runner applies all presence changes that came
    ///     later, even if it starts after them.
    ///   - store: The store of the homes.
    ///   - backend: The accessories.
    ///   - clock: The clock of the home.
    ///   - now: The current time of the clock.
    ///   - observers: Observers of the run.
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
        journal = JournalBuffer(observers + [changes])
        var memory = EngineState()
        var isMemoryRead = true
        do throws(StoreError) {
            memory = try await store.engineState(of: home.id)
        } catch {
            isMemoryRead = false
            await report(
                "The state of the automations cannot be read or saved. Automations that were running will not end by "
                    + "themselves: \(error)"
            )
        }
        savesEngineState = isMemoryRead
        runner = HomeRunner(home, on: backend, clock: clock, startedAt: now, memory: memory, observer: journal)
    }

    /// Records that this process has changed the homes or the presence of a user, so that the change is applied at once.
    package func recordEdit() {
        hasUnsavedEdit.store(true, ordering: .relaxed)
        edited.signal()
    }

    /// Waits until the running home changes, or the task is canceled.
    ///
    /// Returns at once if the home has changed since the last call returned. Only one task may wait.
    package func waitForChange() async {
        await changes.signal.wait()
    }

    /// Waits for a change of this process, or until it is time to look for those of others.
    ///
    /// Returns whether to continue.
    private func waitForNextCheck() async -> Bool {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: Self.pollInterval) }
            group.addTask { [edited] in await edited.wait() }
            await group.next()
            group.cancelAll()
        }
        return !Task.isCancelled
    }

    /// Saves events and applies the changes of other processes, until the task is canceled or the home is removed.
    ///
    /// - Parameter edit: Called before each save. It may change the homes in this process. The sentence that it returns
    ///   is reported once the change is applied.
    package func synchronize(edit: () async -> String? = { nil }) async {
        var present = home
        var presence = lastPresenceChange
        var remembered: EngineState?
        var edits: Int64?
        var news: String?
        var hasFailed = false
        while await waitForNextCheck() {
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
                    // Presence changes after this point are included in the next check.
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
                // After a failure, everything is read again, because a change may have been missed.
                edits = nil
                if !hasFailed {
                    await report("The journal and the state of automations cannot be saved: \(error)")
                }
                hasFailed = true
            }
        }
    }

    /// Saves the last events.
    ///
    /// Call it after the home has stopped running.
    package func close() async {
        do throws(StoreError) {
            try await saveJournal()
            try await save(await runner.memory)
        } catch {
            await report("The last journal entries and the state of automations were not saved: \(error)")
        }
    }

    /// Applies presence changes one after the other, and replaces the running home with the stored one.
    ///
    /// Changes of removed users are applied before the replacement, and those of added users after it.
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
        // The store keeps a limited number of presence changes. This loop applies the net effect of those that were
        // dropped.
        for user in changed.users where present.user(user.id)?.isHome != user.isHome {
            await runner.setPresence(user.isHome, of: user.id)
        }
    }

    /// Replaces the running home, and keeps the presence of its users.
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
            // A user who arrives counts as having been away, so that the arrival is an event.
            await runner.setPresence(false, of: user.id)
        }
        await runner.setPresence(change.isHome, of: change.user)
        try? present.setPresence(change.isHome, of: change.user)
    }

    private func save(_ memory: EngineState) async throws(StoreError) {
        guard savesEngineState else { return }
        try await store.save(memory, of: home.id)
    }

    /// Disables the one-time automations that have run in the stored home, and then saves the journal.
    private func saveJournal() async throws(StoreError) {
        let entries = journal.entries
        guard !entries.isEmpty else { return }
        let finished = entries.filter { $0.kind == JournalEvent.disabled.kind }.compactMap(\.automation)
        if !finished.isEmpty { try await store.disable(Set(finished), of: home.id) }
        try await store.append(entries)
        // Entries that were added meanwhile remain in the buffer.
        journal.removeFirst(entries.count)
    }
}

/// An observer that signals changes of the home.
private final class ChangeObserver: HomeRunObserver {
    let signal = AsyncSignal()

    func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
        if case .edited = news { signal.signal() }
    }
}

/// A buffer of journal entries that are not saved yet, limited to the number that the store can hold.
private final class JournalBuffer: HomeRunObserver {
    private let buffered = Mutex<Deque<StoredJournalEntry>>([])
    private let observers: [any HomeRunObserver]

    /// Creates a buffer.
    ///
    /// - Parameter observers: Observers that receive each event after the buffer.
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

    /// The entries, with the oldest first.
    var entries: [StoredJournalEntry] {
        buffered.withLock { Array($0) }
    }

    func removeFirst(_ count: Int) {
        buffered.withLock { $0.removeFirst(min(count, $0.count)) }
    }
}
