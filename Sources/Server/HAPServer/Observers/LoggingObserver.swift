internal import AccessoryModel
internal import HAPCore
public import Logging
internal import Synchronization

/// Logs the events of a server.
///
/// ``AccessoryServer`` creates one if it gets a logger. The guide <doc:ObservingAServer> lists levels and metadata.
///
/// Called on the server's event loop: a log handler that waits for its output makes the server wait.
public final class LoggingObserver: ServerObserver {
    private let logger: Logger
    /// The controller of each session.
    private let controllers = Mutex<[ConnectionID: ControllerIdentifier]>([:])

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - logger: The logger. Its level decides what is logged.
    ///   - server: The name of the server, which each entry contains as its metadata `server`.
    public init(_ logger: Logger, server: String) {
        var logger = logger
        logger[metadataKey: "server"] = .string(server.escapingControlCharacters)
        self.logger = logger
    }

    /// Whether each characteristic of requests and events is logged: at the level `trace`.
    public var wantsItems: Bool { logger.logLevel <= .trace }

    /// Logs an event.
    public func observe(_ event: ServerEvent) {
        if case .sessionVerified(let id, let controller) = event {
            controllers.withLock { $0[id] = controller }
        }
        let level = event.logLevel
        if logger.logLevel <= level {
            let (message, metadata) = event.logEntry
            let controller = event.connection.flatMap { id in controllers.withLock { $0[id] } }
            let known = controller.map { ["controller": Logger.MetadataValue.string($0.description)] } ?? [:]
            logger.log(level: level, message, metadata: metadata.merging(known) { own, _ in own })
        }
        if case .connectionClosed(let id, _) = event {
            controllers.withLock { $0[id] = nil }
        }
    }
}

extension ServerEvent {
    /// The level at which the event is logged.
    var logLevel: Logger.Level {
        switch self {
        case .requestReceived, .responseSent, .characteristicUsed, .characteristicNotified, .eventSent, .eventCoalesced,
            .storeWritten, .behaviorTimeChanged:
            .trace
        case .connectionOpened, .connectionClosed, .valueChanged, .pairSetupStarted, .faultInjected:
            .debug
        case .sessionVerified, .identifyRequested, .writeRefused, .configurationChanged, .listeningResumed,
            .faultApplied, .faultFinished:
            .info
        case .advertiserChanged(let state):
            if case .unavailable = state { .warning } else { .info }
        case .pairingAdded, .pairingRemoved:
            .notice
        case .protocolViolation, .handlerSlow, .handlerTimedOut, .handlerFailed, .pairSetupRefused, .pairVerifyRefused,
            .listeningFailed:
            .warning
        case .storeFailed:
            .error
        }
    }

    /// The message, which is the same for all events of a kind, and the metadata.
    ///
    /// Texts from peers and handlers are shown without control characters, and with at most 200 characters.
    fileprivate var logEntry: (message: Logger.Message, metadata: Logger.Metadata) {
        let (message, details) = logMessageAndDetails
        var metadata = Logger.Metadata(minimumCapacity: details.count + 3)
        for (key, value) in details {
            metadata[key] = .string(String(value.escapingControlCharacters.prefix(200)))
        }
        if let connection {
            metadata["connection"] = .stringConvertible(connection.rawValue)
        }
        return (message, metadata)
    }

    /// The message, and the metadata besides `server` and `connection`.
    private var logMessageAndDetails: (message: Logger.Message, details: [(key: String, value: String)]) {
        func of(_ id: CharacteristicID) -> (String, String) { ("characteristic", id.description) }
        switch self {
        case .connectionOpened(_, let peer): return ("Connection opened", [("peer", peer)])
        case .connectionClosed(_, let reason): return ("Connection closed", reason.logDetails)
        case .sessionVerified(_, let controller):
            return ("Session verified", [("controller", controller.description)])
        case .requestReceived(_, let method, let path):
            return ("Request received", [("method", "\(method)"), ("path", path)])
        case .responseSent(_, let status): return ("Response sent", [("status", "\(status.rawValue)")])
        case .protocolViolation(_, let error): return ("Peer violated the protocol", [("reason", error.description)])
        case .valueChanged(let id, let type, let value, let origin):
            let value = value?.description ?? "none"
            return ("Value changed", [of(id), ("type", "\(type)"), ("value", value), ("origin", origin.label)])
        case .identifyRequested(let accessory): return ("Identify requested", [("accessory", "\(accessory)")])
        case .characteristicUsed(_, let use, let id): return ("Characteristic used", [of(id), ("use", "\(use)")])
        case .characteristicNotified(_, let id, _): return ("Characteristic in an event", [of(id)])
        case .eventSent(_, let count): return ("Event sent", [("count", "\(count)")])
        case .eventCoalesced(_, let id): return ("Event delayed", [of(id)])
        case .writeRefused(_, let id, let status):
            return ("Write refused", [of(id), ("status", "\(status.rawValue)")])
        case .handlerFailed(let id, let reason): return ("Handler failed", [of(id), ("reason", reason)])
        case .handlerSlow(let id): return ("Handler is slow", [of(id)])
        case .handlerTimedOut(let id): return ("Handler timed out", [of(id)])
        case .pairingAdded(let controller, let isAdmin):
            return ("Pairing added", [("controller", controller.description), ("admin", "\(isAdmin)")])
        case .pairingRemoved(let controller): return ("Pairing removed", [("controller", controller.description)])
        case .pairSetupStarted: return ("Pair-setup started", [])
        case .pairSetupRefused(_, let error, let failedProofs):
            return ("Pair-setup refused", [("reason", error.description), ("failedProofs", "\(failedProofs)")])
        case .pairVerifyRefused(_, let error): return ("Pair-verify refused", [("reason", error.description)])
        case .advertiserChanged(let state): return ("Advertisement changed", [("state", state.description)])
        case .storeWritten(let record, let duration):
            return ("Stored", [("record", record.rawValue), ("duration", "\(duration)")])
        case .storeFailed(let error): return ("Store failed", [("reason", error.description)])
        case .configurationChanged(let number): return ("Structure changed", [("configurationNumber", "\(number)")])
        case .listeningFailed(let reason): return ("Cannot listen", [("reason", reason)])
        case .listeningResumed: return ("Listening again", [])
        case .behaviorTimeChanged(let time, let scale):
            let seconds = MonotonicInstant.zero.duration(to: time) / .seconds(1)
            return ("Time of the behaviors changed", [("seconds", "\(seconds)"), ("scale", "\(scale)")])
        case .faultInjected(let point, let decision):
            return ("Fault injected", [("point", point.description), ("decision", "\(decision)")])
        case .faultApplied(let fault, let subject): return ("Fault applied", [("fault", fault), ("subject", subject)])
        case .faultFinished(let fault): return ("Fault ended", [("fault", fault)])
        }
    }
}

extension CloseReason {
    fileprivate var logDetails: [(key: String, value: String)] {
        switch self {
        case .protocolViolation(let error): [("reason", label), ("error", error.description)]
        case .network(let text): [("reason", label), ("error", text)]
        default: [("reason", label)]
        }
    }
}
