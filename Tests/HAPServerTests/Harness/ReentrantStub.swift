import Discovery
import HAPCore
import Synchronization

@testable import HAPServer

/// A stub for the observer, the fault injection and the advertiser, which acts on the server from within a callback.
final class ReentrantStub: ServerObserver, FaultInjection, Advertiser {
    /// The action of the stub.
    enum Action: CaseIterable {
        case closeConnections
        case removePairings
        case setValues
        case stop
    }

    private struct State {
        var server: AccessoryServer?
        /// The names of the calls so far.
        var calls: Set<String> = []
        var actionCount = 0
        var onState: (@Sendable (AdvertiserState) -> Void)?
    }

    private let trigger: (call: String, act: Action)?
    private let state = Mutex(State())

    /// Creates a stub that acts on the first call with this name; without a trigger it only records calls.
    init(_ trigger: (call: String, act: Action)? = nil) {
        self.trigger = trigger
    }

    /// Acts on this server from now on.
    func attach(to server: AccessoryServer?) {
        state.withLock { $0.server = server }
    }

    /// The names of the calls that arrived while there was a server.
    var calls: Set<String> { state.withLock { $0.calls } }

    /// The number of actions.
    var actionCount: Int { state.withLock { $0.actionCount } }

    /// Records a call, and acts if it is the trigger; called on the server's event loop.
    func recordCall(_ call: String) {
        let server: AccessoryServer? = state.withLock { state in
            guard let server = state.server else { return nil }
            state.calls.insert(call)
            guard trigger?.call == call, state.actionCount == 0 else { return nil }
            state.actionCount += 1
            return server
        }
        guard let server, let trigger else { return }
        server.assumeIsolated { server in
            switch trigger.act {
            case .closeConnections: server.closeAllConnections()
            case .removePairings:
                Task.immediate { await server.forgetPairings() }
                for connection in server.connections.all { server.reset(connection, .pairingRemoved) }
            case .setValues:
                for characteristic in server.database.characteristics where characteristic.type == TestAccessory.first {
                    server.set(99, for: characteristic.id)
                }
            case .stop: Task.immediate { await server.stop() }
            }
        }
    }

    private func recordCall(_ kind: String, _ value: Any) {
        recordCall("\(kind) \(Mirror(reflecting: value).children.first?.label ?? "\(value)")")
    }

    // MARK: Callbacks

    let wantsItems = true

    func observe(_ event: ServerEvent) { recordCall("event", event) }

    func decision(at point: FaultInjectionPoint, now: MonotonicInstant) -> FaultDecision {
        recordCall("fault injection", point)
        // A delay of zero changes nothing, but the server reports it as a fault.
        return if case .request = point { .delay(.zero) } else { .proceed }
    }

    func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void) {
        recordCall("advertiser start")
        state.withLock { $0.onState = onState }
    }

    func update(_ record: ServiceRecord) {
        recordCall("advertiser update")
        state.withLock(\.onState)?(.registering)
    }

    func withdraw() { recordCall("advertiser withdraw") }

    func firstOutcome() async -> AdvertiserState { .idle }

    /// Releases the closure of the server, which retains its observer: this stub.
    func stop() async { state.withLock { $0.onState = nil } }
}
