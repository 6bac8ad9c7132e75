internal import AccessoryModel
internal import HAPController
internal import HAPCore
internal import HomeModel
internal import HomeRuntime
internal import Synchronization

/// The homes and accessories of an environment.
///
/// All managers of a state folder share one core.
///
/// Its state changes only on the main queue, so code on that queue never sees a change between two calls. It can
/// be read on any thread.
final class HomeKitCore: Sendable {
    /// What the core uses once it is open.
    struct Parts: Sendable {
        let store: HomeStateStore
        /// A second connection to the same store, for changes that the app did not request: the core detects them like
        /// changes by other processes.
        let secondStore: HomeStateStore
        let controller: Controller
        let backend: NetworkBackend
    }

    /// The place of a characteristic in a home.
    struct CharacteristicLocation: Sendable, Hashable {
        let home: ObjectID<Home>
        let accessory: ObjectID<HomeAccessory>
        let selector: CharacteristicSelector
    }

    struct State: Sendable {
        var parts: Result<Parts, HMError>?
        var homes = Homes()
        var snapshots: [ObjectID<Home>: HomeSnapshot] = [:]
        var places: [CharacteristicReference: CharacteristicLocation] = [:]
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        var reachable: Set<DeviceID> = []
        var isLoaded = false
        var contexts: [WeakContext] = []
        /// The number of reads, writes, scenes and removals whose handlers were not called yet.
        var pendingRequests = 0
        var executing: Set<ObjectID<HomeScene>> = []
        var lastExecutions: [ObjectID<HomeScene>: Date] = [:]
        var observations: [DeviceID: Observation] = [:]
        var queues: [DeviceID: JobQueue] = [:]
        var homeTasks: [ObjectID<Home>: HomeTasks] = [:]
        var hubs: Set<ObjectID<Home>> = []
        var dataVersion: Int64?
        /// Whether a look for changes waits for its turn.
        var isPollQueued = false
        var receiver: Task<Void, Never>?
    }

    /// The observation of one server.
    struct Observation: Sendable {
        let ids: Set<CharacteristicID>
        let task: Task<Void, Never>
        /// The characteristics whose values the server has not reported yet; `nil` when the first report is complete.
        var pending: Set<CharacteristicID>?
    }

    struct WeakContext: Sendable {
        weak var context: ManagerContext?
    }

    /// The interval for checking the store for changes by other processes.
    private static let pollInterval = Duration.milliseconds(500)

    let environment: HomeKitEnvironment
    /// Overrides the settings of the process, so that tests can run in parallel.
    private let ownSettings: HomeKitSettings.Values?
    var settings: HomeKitSettings.Values { ownSettings ?? HomeKitSettings.current }
    let state = Mutex(State())
    let edits = JobQueue()

    private static let cores = Mutex<[String: WeakCore]>([:])

    private struct WeakCore: Sendable {
        weak var core: HomeKitCore?
    }

    /// Returns the core for a state folder, or creates it.
    ///
    /// A core lives while a manager or an object refers to it.
    static func shared(in folder: String, settings: HomeKitSettings.Values? = nil) -> HomeKitCore {
        let (core, isNew) = cores.withLock { cores -> (HomeKitCore, Bool) in
            if let known = cores[folder]?.core { return (known, false) }
            let core = HomeKitCore(HomeKitEnvironment(folder: folder), ownSettings: settings)
            cores[folder] = WeakCore(core: core)
            return (core, true)
        }
        if isNew { core.start() }
        return core
    }

    /// Creates the core of an environment that has no other one.
    convenience init(_ environment: HomeKitEnvironment, settings: HomeKitSettings.Values) {
        self.init(environment, ownSettings: settings)
        start()
    }

    private init(_ environment: HomeKitEnvironment, ownSettings: HomeKitSettings.Values?) {
        self.environment = environment
        self.ownSettings = ownSettings
    }

    deinit {
        let state = state.withLock(\.self)
        for observation in state.observations.values { observation.task.cancel() }
        for tasks in state.homeTasks.values { tasks.cancel() }
        state.receiver?.cancel()
        guard case .success(let parts)? = state.parts else { return }
        Task {
            await parts.controller.close()
            try? await parts.store.close()
            try? await parts.secondStore.close()
        }
    }

    func snapshot(of home: ObjectID<Home>) -> HomeSnapshot? { state.withLock { $0.snapshots[home] } }

    /// The opened parts, or the error with which opening them has failed.
    func parts() throws(HMError) -> Parts {
        switch state.withLock(\.parts) {
        case .success(let parts)?: return parts
        case .failure(let error)?: throw error
        case nil: throw HMError(.operationInProgress, "The homes are not loaded yet.")
        }
    }

    /// Runs a job after all earlier edits.
    ///
    /// The core lives until then, so that each completion handler is called.
    func afterEdits(_ job: @escaping @Sendable (HomeKitCore) async -> Void) {
        edits.add { await job(self) }
    }

    // MARK: Start

    private func start() {
        afterEdits { core in await core.open() }
        Task { [weak self] in
            while (try? await Task.sleep(for: Self.pollInterval)) != nil {
                guard let self else { return }
                poll()
            }
        }
    }

    private func open() async {
        do throws(HMError) {
            let parts = try await openParts()
            let (homes, values) = try await Self.load(parts)
            let hubs = hubs(of: homes)
            let receiver = receiveChanges(of: parts.backend)
            state.withLock { $0.receiver = receiver }
            await runOnMainQueue {
                self.state.withLock { state in
                    state.parts = .success(parts)
                    state.values = values
                    state.hubs = hubs
                }
                _ = self.replace(homes, own: homes)
            }
            await waitForFirstValues()
        } catch {
            // Apps rarely show this, because on iOS it does not happen.
            // Unlike `write(_:)`, this does not trap if standard error is closed.
            try? FileHandle.standardError.write(
                contentsOf: Data(
                    "HomeKit: The homes in \(environment.folder ?? "memory") cannot be loaded: \(error.text)\n".utf8
                )
            )
            return state.withLock { $0.parts = .failure(error) }
        }
        await runOnMainQueue {
            let contexts = self.state.withLock { state in
                state.isLoaded = true
                return state.contexts
            }
            for known in contexts { known.context?.didLoad() }
        }
    }

    private func openParts() async throws(HMError) -> Parts {
        do throws(StoreError) {
            let (store, other) = (try await environment.openHomes(), try await environment.openHomes())
            do throws(ControllerError) {
                let controller = try await environment.openController()
                return Parts(
                    store: store,
                    secondStore: other,
                    controller: controller,
                    backend: NetworkBackend(controller)
                )
            } catch {
                throw StoreError(.unavailable, reason: error.reason, remedy: error.remedy)
            }
        } catch {
            throw HMError(.unexpectedError, "\(error)")
        }
    }

    /// Returns the stored homes, and the values of the last stored databases.
    private static func load(
        _ parts: Parts
    ) async throws(HMError) -> (Homes, [CharacteristicReference: CharacteristicValue]) {
        let homes = try await storedHomes(parts.store)
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        for pairing in (try? await parts.controller.pairings()) ?? [] {
            guard let server = pairing.deviceID,
                let accessory = try? await parts.controller.accessory(server.description)
            else { continue }
            for accessory in await accessory.storedAccessories() {
                let place = AccessoryReference(server: server, aid: accessory.aid)
                for characteristic in accessory.services.lazy.flatMap(\.characteristics) {
                    values[CharacteristicReference(accessory: place, iid: characteristic.iid)] = characteristic.value
                }
            }
        }
        return (homes, values)
    }

    /// Waits until a server, or every server, has reported its values or cannot be reached, but at most for a second.
    func waitForFirstValues(of server: DeviceID? = nil) async {
        for _ in 0..<500 {
            let isWaiting = state.withLock { state in
                state.observations.contains { (server == nil || $0.key == server) && $0.value.pending != nil }
            }
            guard isWaiting else { return }
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    func register(_ context: ManagerContext) {
        let isLoaded = state.withLock { state in
            state.contexts.removeAll { $0.context == nil }
            state.contexts.append(WeakContext(context: context))
            return state.isLoaded
        }
        if isLoaded { onMainQueue { context.didLoad() } }
    }

    var contexts: [ManagerContext] { state.withLock(\.contexts).compactMap(\.context) }
}
