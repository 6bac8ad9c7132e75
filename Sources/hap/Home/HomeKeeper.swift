import AccessoryModel
import DequeModule
import HomeModel
import HomeRuntime
import Synchronization

/// Keeps what a home that runs has to remember and to say, and brings into the run what other commands change of it.
final class HomeKeeper: Sendable {
    /// How often it looks and writes: what was said last is lost with the power.
    private static let interval = Duration.milliseconds(500)

    private let home: Home
    /// The last change of who is at home that is in the home.
    private let lastPresenceChange: Int64
    private let library: HomeLibrary
    /// What the engine has said and is not on disk yet; as much of it as a journal keeps.
    private let unkept = Mutex<Deque<KeptJournalEntry>>([])
    /// Whether this process has changed the homes itself.
    /// Automations that have run once, and are not disabled in the stored home yet.
    private let disabled = Mutex<Set<ObjectID<Automation>>>([])
    private let isEdited = Atomic(false)
    /// Whether what is kept of the memory may be written over.
    private let keepsMemory = Atomic(true)

    /// - Parameters:
    ///   - home: As it is kept in the library, and run at first.
    ///   - number: The last change of who is at home, as it was read together with the home: what comes after it is told
    ///     to the run, however long that takes to begin.
    init(_ home: Home, after number: Int64, in library: HomeLibrary) {
        self.home = home
        lastPresenceChange = number
        self.library = library
    }

    /// What an earlier run of the home had to remember; nothing, and a line, when that cannot be read.
    ///
    /// What cannot be read is left as it is.
    func memory(_ log: HomeLog) async -> EngineMemory {
        do throws(StoreError) {
            return try await library.memory(of: home)
        } catch {
            keepsMemory.store(false, ordering: .relaxed)
            await log.say("What was to end is not known, and what is to end from now on is not kept: \(error)")
            return EngineMemory()
        }
    }

    /// Takes what the engine says; it is written soon.
    func note(_ entry: JournalEntry, in home: Home) {
        if entry.event == .disabled, let automation = entry.automation {
            disabled.withLock { _ = $0.insert(automation) }
        }
        let kept = KeptJournalEntry(entry, in: home, by: FoundationCalendar(of: home))
        unkept.withLock { entries in
            entries.append(kept)
            if entries.count > KeptJournalEntry.maximumCount { entries.removeFirst() }
        }
    }

    /// Says that this process has changed the homes.
    func noticeEdit() {
        isEdited.store(true, ordering: .relaxed)
    }

    /// Keeps and brings, again and again, until the task is cancelled or the home is removed.
    ///
    /// - Parameter edit: Changes the homes in this process when there is reason to; what it answers is said once the run
    ///   goes on with them.
    func follow(_ runner: HomeRunner, _ log: HomeLog, edit: () async -> String? = { nil }) async {
        var present = home
        var presence = lastPresenceChange
        var remembered: EngineMemory?
        var edits: Int64?
        var news: String?
        var hasFailed = false
        while (try? await Task.sleep(for: Self.interval)) != nil {
            if let line = await edit() { news = line }
            do throws(StoreError) {
                try await keepJournal()
                try await disable()
                let memory = await runner.memory
                if memory.ends != remembered?.ends || memory.presence != remembered?.presence
                    || memory.since != remembered?.since
                {
                    try await keep(memory)
                    remembered = memory
                }
                let latest = try await library.editsOfOthers()
                let isEdited = isEdited.exchange(false, ordering: .relaxed)
                if news != nil || isEdited || latest != edits {
                    let kept = try await library.kept()
                    guard let changed = kept.homes.home(home.id) else {
                        return await log.say("The home was removed.")
                    }
                    // Who comes from here on is in the homes of the next look.
                    let changes = try await library.presenceChanges(of: home, after: presence)
                        .filter { $0.number <= kept.lastPresenceChange }
                    (edits, presence) = (latest, kept.lastPresenceChange)
                    await Self.bring(changed, changes, from: present, into: runner)
                    present = changed
                }
                if let line = news { await log.say(line) }
                news = nil
                hasFailed = false
            } catch {
                // What may not have been read is read again.
                edits = nil
                if !hasFailed {
                    await log.say("What happens is not kept: \(error)")
                }
                hasFailed = true
            }
        }
    }

    /// Keeps the last of it, when nothing happens any more.
    func close(_ runner: HomeRunner, _ log: HomeLog) async {
        do throws(StoreError) {
            try await keepJournal()
            try await disable()
            try await keep(await runner.memory)
        } catch {
            await log.say("What happened last is not kept: \(error)")
        }
    }

    /// Tells of everybody who came and went, one after the other, and goes on with the home as it is kept.
    ///
    /// Whoever was removed leaves before that, and whoever was added comes after it.
    private static func bring(
        _ changed: Home,
        _ changes: [PresenceChange],
        from before: Home,
        into runner: HomeRunner
    ) async {
        var present = before
        var isEdited = false
        for change in changes {
            if present.user(change.user) == nil, !isEdited {
                await replace(&present, with: changed, in: runner)
                isEdited = true
            }
            if present.user(change.user) != nil {
                await bring(change, into: runner, &present)
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

    private static func bring(_ change: PresenceChange, into runner: HomeRunner, _ present: inout Home) async {
        if change.isHome == true, let user = present.user(change.user), user.isHome == nil {
            // Whoever comes was not there.
            await runner.setPresence(false, of: user.id)
        }
        await runner.setPresence(change.isHome, of: change.user)
        try? present.setPresence(change.isHome, of: change.user)
    }

    private func keep(_ memory: EngineMemory) async throws(StoreError) {
        guard keepsMemory.load(ordering: .relaxed) else { return }
        try await library.save(memory, of: home)
    }

    /// Disables the automations that have run once in the stored home.
    private func disable() async throws(StoreError) {
        let automations = disabled.withLock { $0 }
        guard !automations.isEmpty else { return }
        try await library.disable(automations, of: home)
        disabled.withLock { $0.subtract(automations) }
    }

    private func keepJournal() async throws(StoreError) {
        let entries = unkept.withLock { Array($0) }
        guard !entries.isEmpty else { return }
        try await library.append(entries)
        // Those that came meanwhile stay for the next time.
        unkept.withLock { $0.removeFirst(min(entries.count, $0.count)) }
    }
}
