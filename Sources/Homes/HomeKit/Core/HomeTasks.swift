internal import AsyncPrimitives
internal import HAPController
internal import HomeModel
internal import HomeRuntime

/// The background tasks of a home: the import of changed services, and the triggers, if this process runs them.
struct HomeTasks: Sendable {
    let updater: HomeStructureUpdater
    /// The accessories of the triggers; `nil` if this process does not run them.
    private let triggers: NetworkBackend?
    private let tasks: [Task<Void, Never>]

    init(_ home: Home, in core: HomeKitCore, _ parts: HomeKitCore.Parts) {
        updater = HomeStructureUpdater(home.id, in: parts.secondStore, controller: parts.controller) { _ in }
        let updater = updater
        var tasks = [Task { [weak core] in await updater.run { [weak core] in core?.poll() } }]
        let folder = core.settings.runsTriggers ? core.environment.folder : nil
        triggers = folder.map { _ in NetworkBackend(parts.controller) }
        if let folder, let triggers {
            let mailbox = parts.backend.mailbox
            tasks.append(Task { await Self.runTriggers(of: home, on: triggers, in: folder, WriteForwarder(mailbox)) })
        }
        self.tasks = tasks
    }

    func cancel() {
        for task in tasks { task.cancel() }
    }

    /// Passes a value that the app has written to the triggers: accessories send no event to the session that wrote.
    func appWrote(_ value: BackendChange) { triggers?.mailbox.send(value) }

    /// Waits while another process runs the home, then runs its triggers until the task is canceled.
    private static func runTriggers(
        of home: Home,
        on backend: NetworkBackend,
        in folder: String,
        _ forwarder: WriteForwarder
    ) async {
        while !Task.isCancelled {
            // A store of its own, which notices the changes of the app and of the updater, and lasts until the end.
            if let lock = try? await HomeLock(home, in: folder) {
                defer { lock.release() }
                if let store = try? await HomeStateStore.open(folder: folder) {
                    await run(home.id, in: store, on: backend, forwarder)
                    try? await store.close()
                }
            }
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
        }
    }

    /// Runs the triggers until the task is canceled or the home is removed.
    private static func run(
        _ home: ObjectID<Home>,
        in store: HomeStateStore,
        on backend: NetworkBackend,
        _ forwarder: WriteForwarder
    ) async {
        guard let stored = try? await store.homes(), let current = stored.homes.home(home) else { return }
        let clock = MachineClock()
        let run = await StoredHomeRunner(
            current,
            from: stored,
            in: store,
            on: backend,
            clock: clock,
            startedAt: clock.now,
            observers: [forwarder],
            report: { _ in }
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await run.runner.run() }
            group.addTask { await run.synchronize() }
            // Synchronizing ends when the home was removed.
            await group.next()
            group.cancelAll()
        }
        await run.close()
    }
}

/// Reports the writes of this process's triggers to the app: accessories send no event to the session that wrote.
private struct WriteForwarder: HomeRunObserver {
    private let mailbox: BackendMailbox

    init(_ mailbox: BackendMailbox) { self.mailbox = mailbox }

    func observe(_ event: HomeEvent, in home: Home, at instant: WallInstant) {
        guard case .accepted(let selector, let value) = event,
            let reference = home.references(of: [selector])[selector]
        else { return }
        mailbox.send(.value(reference, value))
    }
}
