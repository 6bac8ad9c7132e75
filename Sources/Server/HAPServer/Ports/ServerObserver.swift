public import AccessoryModel
public import Discovery
public import HAPCore

/// Receives the events of a server, for example for logs, metrics and traces.
///
/// ``LoggingObserver`` and ``MetricsObserver`` are two observers. Called on the server's event loop, in the order of
/// events: it must return quickly, and do slow work elsewhere.
public protocol ServerObserver: Sendable {
    /// Receives an event.
    func observe(_ event: ServerEvent)

    /// Whether it also receives each characteristic of requests and events; read once, when a server starts.
    var wantsItems: Bool { get }
}

extension ServerObserver {
    /// `false`: whole requests and events are enough.
    public var wantsItems: Bool { false }
}

/// Something that happened in a server.
public enum ServerEvent: Sendable, Hashable {
    /// A controller has connected.
    case connectionOpened(ConnectionID, peer: String)
    /// A connection has ended.
    case connectionClosed(ConnectionID, CloseReason)
    /// A paired controller has proved its identity, so the connection is now a session.
    case sessionVerified(ConnectionID, ControllerIdentifier)
    /// A complete request has arrived.
    ///
    /// The path has no query.
    case requestReceived(ConnectionID, HTTPMethod, path: String)
    /// A response is handed to the connection.
    case responseSent(ConnectionID, HTTPStatus)
    /// A peer has violated the protocol.
    case protocolViolation(ConnectionID, ProtocolError)

    /// The value of a characteristic has changed, or a button was pressed.
    case valueChanged(CharacteristicID, CharacteristicType, CharacteristicValue?, by: ChangeOrigin)
    /// A controller or a user asks the accessory to identify itself.
    case identifyRequested(AccessoryID)
    /// A controller's request concerns a characteristic, even if the request fails; for observers that request items.
    case characteristicUsed(ConnectionID, CharacteristicUse, CharacteristicID)
    /// An event message contains a characteristic; for observers that want items.
    case characteristicNotified(ConnectionID, CharacteristicID, CharacteristicValue?)
    /// An event message is handed to the connection, with this many characteristics.
    case eventSent(ConnectionID, count: Int)
    /// A change waits for the second between two event messages, or for a controller that is busy or does not read.
    case eventCoalesced(ConnectionID, CharacteristicID)
    /// A controller's write of a value was answered with this status, which is not success.
    ///
    /// Of each request, only the first characteristic with each status is reported. If a closure caused the status,
    /// ``handlerFailed(_:_:)`` or ``handlerTimedOut(_:)`` says why. A refused subscription is not reported.
    case writeRefused(ConnectionID, CharacteristicID, HAPStatus)
    /// A closure for this characteristic has thrown an error or returned an invalid value, with the reason in words.
    ///
    /// For a polled characteristic, only the first of consecutive failures is reported.
    case handlerFailed(CharacteristicID, String)
    /// A handler has not answered for 3 seconds.
    case handlerSlow(CharacteristicID)
    /// A handler has not answered for 9 seconds. A request that waits for it gets −70408 for this item.
    case handlerTimedOut(CharacteristicID)

    /// A controller was paired, or its permissions have changed.
    case pairingAdded(ControllerIdentifier, isAdmin: Bool)
    /// The pairing of a controller was removed.
    case pairingRemoved(ControllerIdentifier)
    /// A controller begins pair-setup, even if the pairing fails later.
    case pairSetupStarted(ConnectionID)
    /// Pair-setup was refused, with the reason and the number of failed proofs.
    case pairSetupRefused(ConnectionID, PairingErrorCode, failedProofs: Int)
    /// Pair-verify was refused.
    case pairVerifyRefused(ConnectionID, PairingErrorCode)
    /// The state of the announcement on the network has changed.
    case advertiserChanged(AdvertiserState)
    /// A record was written to disk, with the time that it took.
    case storeWritten(StoredRecord, Duration)
    /// The store has failed: a change of the pairings is refused, and unsaved values are saved later.
    case storeFailed(StoreError)
    /// The structure has changed, with the new configuration number.
    case configurationChanged(UInt16)
    /// The server cannot listen again, for this reason; usually its port is in use.
    ///
    /// The server tries again each second.
    case listeningFailed(String)
    /// The server listens again after ``listeningFailed(_:)``.
    case listeningResumed
    /// The clock of the behaviors shows this time, and runs on with this scale, which is zero while it is paused.
    ///
    /// Reported at the start, when the clock is changed, and at each event of a behavior in a span of time that the
    /// clock jumps over.
    case behaviorTimeChanged(MonotonicInstant, scale: Double)
    /// The driver of an accessory, or the device behind it, reports something.
    case driverEvent(AccessoryID, DriverEvent)
    /// A fault was injected at this point.
    case faultInjected(FaultInjectionPoint, FaultDecision)
    /// An injected fault takes effect, with its name, such as `latency on Garage Door`, and its target.
    case faultApplied(String, on: String)
    /// An injected fault has ended, with its name.
    case faultFinished(String)
}

extension ServerEvent {
    /// The connection of the event; `nil` if there is none.
    package var connection: ConnectionID? {
        switch self {
        case .connectionOpened(let id, _), .connectionClosed(let id, _), .sessionVerified(let id, _),
            .requestReceived(let id, _, _), .responseSent(let id, _), .protocolViolation(let id, _),
            .eventSent(let id, _),
            .eventCoalesced(let id, _), .characteristicUsed(let id, _, _), .characteristicNotified(let id, _, _),
            .pairSetupStarted(let id), .pairSetupRefused(let id, _, _), .pairVerifyRefused(let id, _),
            .writeRefused(let id, _, _),
            .valueChanged(_, _, _, by: .controller(let id)):
            id
        default: nil
        }
    }
}

extension DriverEvent {
    /// Returns a sentence about the event of an accessory's driver.
    ///
    /// The details are not sanitized.
    func sentence(_ accessory: String) -> String {
        switch name {
        case "started": return "The driver of \(accessory) runs."
        case "ended":
            let reason = details["reason"].map { $0.hasSuffix(".") ? $0 : "\($0)." } ?? ""
            return "The driver of \(accessory) has ended: \(reason) It starts again \(details["restart"] ?? "later")."
        case "abandoned": return "The driver of \(accessory) did not end in time, and has no effect any more."
        case "listening": return "The driver of \(accessory) listens on \(details["address"] ?? "an address")."
        case "announced":
            return "\(accessory) is announced as \(details["name"] ?? "a service") (\(details["service"] ?? ""))."
        case "unannounced":
            return "\(accessory) is not announced (\(details["service"] ?? "")): \(details["reason"] ?? "")"
        case "reachable": return "\(accessory) can be reached."
        case "unreachable": return "\(accessory) can no longer be reached."
        default:
            let details = details.sorted { $0.key < $1.key }.map { ", \($0.key): \($0.value)" }
            return "\(accessory) reports \(name)\(details.joined())."
        }
    }
}

/// The kind of access of a controller to a characteristic.
public enum CharacteristicUse: Sendable, Hashable {
    /// It reads the value.
    case read
    /// It writes a value.
    case write
    /// Subscribes to events.
    case subscribe
    /// Unsubscribes from events.
    case unsubscribe
}

/// The cause of a changed value.
public enum ChangeOrigin: Sendable, Hashable {
    /// A controller's write.
    case controller(ConnectionID)
    /// A write of the program that serves: a scene, an automation.
    case program
    /// The device itself: a behavior, a handler, or a report of the program.
    case device

    /// The origin in one word.
    package var label: String {
        switch self {
        case .controller: "controller"
        case .program: "program"
        case .device: "device"
        }
    }
}

/// The kinds of records in a server's store.
public enum StoredRecord: String, Sendable, Hashable, CaseIterable {
    /// The identity of the server, and its port.
    case identity
    /// A change of the pairings, or the count of failed proofs.
    case pairings
    /// The ids of accessories and characteristics, and the configuration number.
    case structure
    /// Values that have changed.
    case values
}

/// The reason why a connection ended.
public enum CloseReason: Sendable, Hashable {
    /// The controller closed it.
    case peer
    /// The controller violated the protocol.
    case protocolViolation(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The controller's pairing was removed.
    case pairingRemoved
    /// The server closed it to accept another connection, or had no room for it.
    case limit
    /// The controller did not complete a request in time, or was idle for too long without a session.
    case timeLimit
    /// The server is stopping.
    case stopping
    /// A fault was injected.
    case faultInjection

    /// The reason in one word, without its details.
    var label: String {
        switch self {
        case .peer: "peer"
        case .protocolViolation: "protocol-violation"
        case .network: "network"
        case .pairingRemoved: "pairing-removed"
        case .limit: "limit"
        case .timeLimit: "time-limit"
        case .stopping: "stopping"
        case .faultInjection: "fault-injection"
        }
    }
}

/// Several observers, each of which receives the same events in order.
package struct ObserverFanOut: ServerObserver {
    private let observers: [any ServerObserver]

    package init(_ observers: [any ServerObserver]) {
        self.observers = observers
    }

    /// Combines observers into one; `nil` if there is none.
    static func combining(_ observers: (any ServerObserver)?...) -> (any ServerObserver)? {
        let observers = observers.compactMap(\.self)
        return observers.count > 1 ? ObserverFanOut(observers) : observers.first
    }

    package var wantsItems: Bool {
        observers.contains { $0.wantsItems }
    }

    package func observe(_ event: ServerEvent) {
        // A loop over the elements would copy each of them.
        for index in observers.indices {
            observers[index].observe(event)
        }
    }
}
