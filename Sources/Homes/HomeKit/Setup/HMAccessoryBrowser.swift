internal import Discovery
internal import HAPController
internal import HAPCore
internal import Synchronization

/// Finds accessories on the network that can be paired.
///
/// On a network, it needs the Avahi daemon; without it, nothing is found.
open class HMAccessoryBrowser: NSObject, @unchecked Sendable {
    private let core: HomeKitCore
    private let delegateReference = WeakDelegate<any HMAccessoryBrowserDelegate>()
    private let state = Mutex(State())

    private struct State: Sendable {
        var search: Task<Void, Never>?
        /// In the order in which they were found, with the names under which they appear.
        var found: [(name: String, accessory: HMAccessory)] = []
    }

    /// Creates a browser that does not search yet.
    public override init() {
        core = .shared(in: HomeKitSettings.stateFolder)
        super.init()
    }

    /// Creates a browser that finds the accessories that a manager can add.
    package init(of manager: HMHomeManager) {
        core = manager.context.core
        super.init()
    }

    deinit { state.withLock(\.search)?.cancel() }

    /// The delegate, which is called on the main queue.
    open var delegate: (any HMAccessoryBrowserDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.delegate = newValue }
    }

    /// The accessories that were found, can be paired, and are not gone.
    open var discoveredAccessories: [HMAccessory] { state.withLock { $0.found.map(\.accessory) } }

    /// Begins to search; has no effect during a search.
    open func startSearchingForNewAccessories() {
        state.withLock { state in
            guard state.search == nil else { return }
            state.search = Task { [weak self, core] in
                guard let updates = await Self.updates(of: core) else { return }
                for await update in updates {
                    await runOnMainQueue { [weak self] in self?.handle(update) }
                }
            }
        }
    }

    /// Ends the search; what was found stays.
    open func stopSearchingForNewAccessories() {
        state.withLock { state in
            state.search?.cancel()
            state.search = nil
        }
    }

    /// Returns the updates of a controller as soon as it is open.
    private static func updates(of core: HomeKitCore) async -> AsyncStream<DiscoveryUpdate>? {
        await withCheckedContinuation { continuation in
            core.afterEdits { core in continuation.resume(returning: try? core.parts().controller.discover()) }
        }
    }

    private func handle(_ update: DiscoveryUpdate) {
        switch update {
        case .appeared(let discovered), .changed(let discovered):
            let known = accessory(named: discovered.name)
            if discovered.isPaired != false {
                remove(discovered.name)
            } else if known?.discovered?.deviceID != discovered.deviceID {
                remove(discovered.name)
                let accessory = HMAccessory(discovered)
                state.withLock { $0.found.append((discovered.name, accessory)) }
                delegate?.accessoryBrowser(self, didFindNewAccessory: accessory)
            }
        case .disappeared(let discovered): remove(discovered.name)
        case .allForNow, .available, .unavailable: break
        }
    }

    private func accessory(named name: String) -> HMAccessory? {
        state.withLock { $0.found.first { $0.name == name }?.accessory }
    }

    private func remove(_ name: String) {
        guard let accessory = accessory(named: name) else { return }
        state.withLock { $0.found.removeAll { $0.name == name } }
        delegate?.accessoryBrowser(self, didRemoveNewAccessory: accessory)
    }
}
