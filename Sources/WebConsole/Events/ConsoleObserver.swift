package import AccessoryModel
internal import DequeModule
package import Discovery
package import HAPCore
package import HAPServer
internal import Synchronization

/// An observer of one server that appends the server's events to the journal.
///
/// It runs on the server's event loop, so it only appends. Everything else is derived by the readers of the journal.
package final class ConsoleObserver: ServerObserver {
    /// The peer of a connection.
    package struct Peer: Sendable, Hashable {
        /// The address and the port.
        package var address: String
        /// The controller, once it is verified.
        package var controller: ControllerIdentifier?
    }

    /// The number of closed connections whose peers are remembered, because events in the journal refer to them.
    private static let rememberedConnections = 1_000

    private let server: Int
    private let journal: EventJournal
    private let state = Mutex(State())

    private struct State {
        var advertiser = AdvertiserState.idle
        var peers: [ConnectionID: Peer] = [:]
        var closed: Deque<ConnectionID> = []
    }

    /// Creates an observer.
    ///
    /// - Parameter server: The index of the server.
    package init(of server: Int, _ journal: EventJournal) {
        self.server = server
        self.journal = journal
    }

    package func observe(_ event: ServerEvent) {
        switch event {
        case .requestReceived, .responseSent, .valueChanged, .eventSent: break
        case .connectionOpened(let id, let address):
            state.withLock { $0.peers[id] = Peer(address: address) }
        case .sessionVerified(let id, let controller):
            state.withLock { $0.peers[id]?.controller = controller }
        case .connectionClosed(let id, _): state.withLock { Self.forgetOldest(afterClosing: id, &$0) }
        case .advertiserChanged(let advertiser): state.withLock { $0.advertiser = advertiser }
        default: break
        }
        journal.append(.server(server, event))
    }

    /// The state of the server's advertisement.
    package var advertiser: AdvertiserState { state.withLock { $0.advertiser } }

    /// Returns the peer of a connection that is open, or was closed not long ago.
    package func peer(of connection: ConnectionID) -> Peer? {
        state.withLock { $0.peers[connection] }
    }

    private static func forgetOldest(afterClosing id: ConnectionID, _ state: inout State) {
        state.closed.append(id)
        guard state.closed.count > rememberedConnections, let oldest = state.closed.popFirst() else { return }
        state.peers[oldest] = nil
    }
}
