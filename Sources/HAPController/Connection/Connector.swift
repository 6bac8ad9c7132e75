internal import Glibc
internal import HAPCore
internal import HAPTransport
internal import NIOCore
internal import NIOPosix

/// Connects to where an accessory may be.
enum Connector {
    /// Connects to the first of several places that takes a connection; all are tried side by side, and of a name all
    /// its addresses.
    ///
    /// - Throws: ``ControllerError/Code/unreachable`` when none has within the time, ``ControllerError/Code/cancelled`` at
    ///   once when the task is cancelled.
    static func connect(
        to places: [AccessoryPlace],
        within patience: Duration,
        configuration: ControllerConfiguration,
        on loop: any EventLoop
    ) async throws(ControllerError) -> AccessoryConnection {
        let limits = HTTPLimits(
            maximumHeadBytes: HTTPLimits.responses.maximumHeadBytes,
            maximumBodyBytes: max(0, configuration.maximumBodyBytes),
            maximumEventBytes: min(max(0, configuration.maximumBodyBytes), HTTPLimits.responses.maximumEventBytes)
        )
        let promise = loop.makePromise(of: AccessoryConnection.self)
        let attempts = places.map { place in
            connect(to: place, within: patience, limits: limits, for: promise.futureResult, on: loop)
                .map { promise.succeed($0) }
        }
        EventLoopFuture.whenAllComplete(attempts, on: loop)
            .whenSuccess { results in
                for case .failure(let error) in results {
                    promise.fail(error)
                }
                promise.fail(ChannelError.connectTimeout(.zero))
            }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(CancellationError())
            }
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .unreachable(places, reason: reason(of: error, within: patience))
        }
    }

    private static func connect(
        to place: AccessoryPlace,
        within patience: Duration,
        limits: HTTPLimits,
        for winner: EventLoopFuture<AccessoryConnection>,
        on loop: any EventLoop
    ) -> EventLoopFuture<AccessoryConnection> {
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(patience))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // An accessory that has lost its power says nothing: after a minute without an answer it is gone.
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: 30)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 10)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 3)
            .channelInitializer { channel in
                // Whoever comes second goes again, and whoever is still on the way when nobody waits any more.
                winner.whenComplete { result in
                    if case .success(let connection) = result, connection.isOver(channel) { return }
                    channel.close(promise: nil)
                }
                return channel.eventLoop.makeCompletedFuture {
                    let handler = ControllerChannelHandler(host: place.description, sessionLimits: limits)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: place.host, port: Int(place.port))
            .flatMapThrowing { channel in
                let handler = try channel.pipeline.syncOperations.handler(type: ControllerChannelHandler.self)
                return AccessoryConnection(place: place, channel: channel, handler: handler)
            }
    }

    /// The words that follow "…: ".
    private static func reason(of error: any Error, within patience: Duration) -> String {
        switch error {
        case let error as IOError:
            return String(cString: strerror(error.errnoCode)).lowercased()
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first?.error {
                return reason(of: first, within: patience)
            }
            return "the name is not known"
        case ChannelError.connectTimeout:
            return "no answer within \(patience.inWords)"
        default:
            return String(describing: error)
        }
    }
}
