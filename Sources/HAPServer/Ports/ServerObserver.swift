public import AccessoryModel
public import Discovery
public import HAPCore

/// Is told what happens in a server: the source of log lines, metrics and traces.
///
/// Called on the server's event loop, in the order of events: it must return quickly, and hand on what takes time.
public protocol ServerObserver: Sendable {
    /// Takes one fact.
    func observe(_ fact: ServerFact)

    /// Whether it wants to be told of each characteristic of requests and events, too; asked once, when a server starts.
    var wantsItems: Bool { get }
}

extension ServerObserver {
    /// An observer to whom whole requests and events are enough.
    public var wantsItems: Bool { false }
}

/// Something that happened in a server.
public enum ServerFact: Sendable, Hashable {
    /// A controller has connected.
    case connectionOpened(ConnectionID, peer: String)
    /// A connection has ended.
    case connectionClosed(ConnectionID, CloseReason)
    /// A paired controller has proved who it is: the connection is a session now.
    case sessionVerified(ConnectionID, ControllerIdentifier)
    /// A request has arrived whole. The path is the one that was asked for, without its query.
    case requestReceived(ConnectionID, HTTPMethod, path: String)
    /// A response has been handed to the network.
    case responseSent(ConnectionID, HTTPStatus)
    /// A peer has sent what the protocol does not allow.
    case peerFault(ConnectionID, ProtocolError)

    /// A characteristic has another value, or a button was pressed.
    case valueChanged(CharacteristicID, CharacteristicType, CharacteristicValue?, by: ChangeOrigin)
    /// A controller or a person asks the accessory to show which one it is.
    case identifyRequested(AccessoryID)
    /// A controller's request has to do with a characteristic, whatever becomes of it; for observers that want items.
    case characteristicUsed(ConnectionID, CharacteristicUse, CharacteristicID)
    /// An event message tells of a characteristic; for observers that want items.
    case characteristicTold(ConnectionID, CharacteristicID, CharacteristicValue?)
    /// One event message has been handed to the network, with this many characteristics.
    case eventSent(ConnectionID, count: Int)
    /// A change waits for the second between two event messages to pass.
    case eventCoalesced(ConnectionID, CharacteristicID)
    /// A closure for this characteristic has thrown, or has answered with a value that is none of it: why, in words.
    ///
    /// One that is polled is told again when it has worked in between.
    case handlerFailed(CharacteristicID, String)
    /// A handler has not answered for 3 seconds.
    case handlerSlow(CharacteristicID)
    /// A handler has not answered for 9 seconds, and the controller was told so.
    case handlerTimedOut(CharacteristicID)

    /// A controller is paired now, or has other permissions than before.
    case pairingAdded(ControllerIdentifier, isAdmin: Bool)
    /// A controller is not paired any more.
    case pairingRemoved(ControllerIdentifier)
    /// Pair-setup was refused; with the count of failed proofs.
    case pairSetupRefused(ConnectionID, PairingError, failedProofs: Int)
    /// Pair-verify was refused.
    case pairVerifyRefused(ConnectionID, PairingError)
    /// The advertisement on the network has another state.
    case advertiserChanged(AdvertiserState)
    /// The store did not do what it was asked. What was to be acknowledged was not.
    case storeFailed(StoreError)
    /// The structure has changed: the configuration number from now on.
    case configurationChanged(UInt16)
    /// A server that was away cannot listen again, since somebody has its port: why, in words. It tries again and again.
    case listeningFailed(String)
    /// It listens again, after that.
    case listeningAgain
    /// A fault was injected at this point.
    case interfered(InterferencePoint, Interruption)
    /// An injected fault acts: its name, such as `latency on accessory 2`, and on what.
    case faultActed(String, on: String)
    /// An injected fault is over: its name.
    case faultOver(String)
}

/// Why a connection ended.
public enum CloseReason: Sendable, Hashable {
    /// The controller closed it.
    case peer
    /// The controller sent what the protocol does not allow.
    case fault(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The controller's pairing was removed.
    case pairingRemoved
    /// It made room for another one, or there was none for it.
    case limit
    /// It did not complete a request in time, or none at all and was nobody's session.
    case timeLimit
    /// The server stops.
    case stopping
    /// A fault was injected.
    case interference
}

/// Tells several observers the same, in their order.
package struct ObserverFanOut: ServerObserver {
    private let observers: [any ServerObserver]

    package init(_ observers: [any ServerObserver]) {
        self.observers = observers
    }

    package var wantsItems: Bool {
        observers.contains { $0.wantsItems }
    }

    package func observe(_ fact: ServerFact) {
        for observer in observers {
            observer.observe(fact)
        }
    }
}
