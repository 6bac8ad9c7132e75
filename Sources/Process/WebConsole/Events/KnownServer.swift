package import AccessoryModel
internal import DequeModule
package import Discovery
package import HAPCore
package import HAPServer
package import Hosting
internal import Simulation
internal import Synchronization

/// What describes the events of a server: its names, its connections and its simulated time.
///
/// The journal keeps it longer than the server.
package final class KnownServer: Sendable {
    /// The number of closed connections whose peers are remembered, because events in the journal refer to them.
    private static let rememberedConnections = 1_000

    package let identity: HostedServer.Identity
    private let state = Mutex(State())

    private struct State {
        var advertiser = AdvertiserState.idle
        var isListening = true
        var peers: [ConnectionID: ConnectionPeer] = [:]
        var closed: Deque<ConnectionID> = []
        var times = SimulatedTimes()
        var names = ServerEventNames()
    }

    init(_ identity: HostedServer.Identity) {
        self.identity = identity
    }

    /// Remembers what later events need.
    func observe(_ event: ServerEvent) {
        state.withLock { state in
            switch event {
            case .connectionOpened(let id, let address): state.peers[id] = ConnectionPeer(id, address: address)
            case .sessionVerified(let id, let controller): state.peers[id]?.controller = controller
            case .connectionClosed(let id, _): Self.forgetOldest(afterClosing: id, &state)
            case .advertiserChanged(let advertiser): state.advertiser = advertiser
            case .listeningFailed: state.isListening = false
            case .listeningResumed: state.isListening = true
            default: break
            }
        }
    }

    func setNames(_ names: ServerEventNames) {
        state.withLock { $0.names = names }
    }

    /// Returns an event in a sentence, or `nil` if it is too frequent for sentences.
    func text(of event: ServerEvent, _ peer: ConnectionPeer?) -> String? {
        event.sentence(state.withLock { $0.names }, peer: peer)?.printable
    }

    /// The state of the server's advertisement.
    package var advertiser: AdvertiserState { state.withLock { $0.advertiser } }

    /// Whether the server accepts connections; `false` while another program has its port.
    package var isListening: Bool { state.withLock { $0.isListening } }

    /// Returns the peer of a connection that is open, or was closed not long ago.
    package func peer(of connection: ConnectionID) -> ConnectionPeer? {
        state.withLock { $0.peers[connection] }
    }

    /// The time on the simulation's clock when the server started.
    package var startTime: MonotonicInstant? { state.withLock { $0.times.start } }

    /// Remembers the simulated time at a time of the journal.
    func append(_ time: EventTime, shows instant: MonotonicInstant, scale: Double) {
        state.withLock { $0.times.append(time, shows: instant, scale: scale) }
    }

    /// Returns the simulated time of an event.
    package func simulatedTime(at time: EventTime) -> MonotonicInstant? {
        state.withLock { $0.times.simulatedTime(at: time) }
    }

    private static func forgetOldest(afterClosing id: ConnectionID, _ state: inout State) {
        state.closed.append(id)
        guard state.closed.count > rememberedConnections, let oldest = state.closed.popFirst() else { return }
        state.peers[oldest] = nil
    }
}
