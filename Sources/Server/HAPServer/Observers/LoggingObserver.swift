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
        if let (level, title, metadata) = event.logEntry(from: logger.logLevel) {
            let controller = event.connection.flatMap { id in controllers.withLock { $0[id] } }
            let known = controller.map { ["controller": Logger.MetadataValue.string($0.description)] } ?? [:]
            logger.log(level: level, "\(title)", metadata: metadata.merging(known) { own, _ in own })
        }
        if case .connectionClosed(let id, _) = event {
            controllers.withLock { $0[id] = nil }
        }
    }
}
