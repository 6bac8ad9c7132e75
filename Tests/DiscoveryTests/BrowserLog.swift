import Discovery
import Synchronization

/// A reader of a browser's updates that stores their combined result.
final class BrowserLog: Sendable {
    private struct State {
        var accessories: [String: DiscoveredAccessory] = [:]
        var unavailable: DiscoveryError?
        var hasSeenAll = false
    }

    private let state: SharedState
    private let task: Task<Void, Never>

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    init(_ browser: AccessoryBrowser) {
        let state = SharedState()
        let updates = browser.updates()
        self.state = state
        task = Task {
            for await update in updates {
                state.value.withLock { Self.apply(update, to: &$0) }
            }
        }
    }

    deinit {
        task.cancel()
    }

    var accessories: [String: DiscoveredAccessory] {
        state.value.withLock { $0.accessories }
    }

    var unavailable: DiscoveryError? {
        state.value.withLock { $0.unavailable }
    }

    var hasSeenAll: Bool {
        state.value.withLock { $0.hasSeenAll }
    }

    private static func apply(_ update: DiscoveryUpdate, to state: inout State) {
        switch update {
        case .appeared(let accessory), .changed(let accessory): state.accessories[accessory.name] = accessory
        case .disappeared(let accessory): state.accessories[accessory.name] = nil
        case .allForNow: state.hasSeenAll = true
        case .available: state.unavailable = nil
        case .unavailable(let error):
            state.unavailable = error
            state.hasSeenAll = false
        }
    }
}
