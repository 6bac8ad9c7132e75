internal import Glibc
package import HAPCore
internal import HAPTransport
internal import NIOCore
internal import NIOPosix

/// Connects to where an accessory may be.
package enum Connector {
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

    /// Sends one request in clear, over a connection of its own, and returns the answer, whatever its status is.
    ///
    /// The time covers both the connection and the answer. The result is a failure when there is a connection and no
    /// answer: ``ControllerError/Code/timedOut``, ``ControllerError/Code/connectionLost`` or
    /// ``ControllerError/Code/malformed(_:)``. Cancelling the task does not end it earlier.
    package static func ask(
        _ request: HTTPRequest,
        at place: AccessoryPlace,
        within patience: Duration
    ) async throws(ConnectFailure) -> Result<HTTPMessage, ControllerError> {
        let deadline = ContinuousClock.now.advanced(by: patience)
        let loop = Controller.nextLoop()
        let winner = loop.makePromise(of: AccessoryConnection.self)
        // On the loop: the callback of a future that has completed elsewhere would come a turn late.
        let answer = loop.flatSubmit {
            let attempt = connect(
                to: place,
                within: patience,
                limits: .unverifiedResponses,
                for: winner.futureResult,
                on: loop
            )
            attempt.cascade(to: winner)
            return attempt.flatMap { connection in
                connection.answer(to: request, within: ContinuousClock.now.duration(to: deadline))
                    .always { _ in connection.close() }
            }
        }
        do {
            return try await answer.get()
        } catch {
            throw ConnectFailure(error)
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
                    let handler = ControllerChannelHandler(host: place.hostHeader, sessionLimits: limits)
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
        let failure = ConnectFailure(error)
        switch failure {
        case .timedOut: return "no answer within \(patience.inWords)"
        case .system: return failure.description.lowercased()
        case .unknownName, .other: return failure.description
        }
    }
}

/// Why no connection to a place came about.
package enum ConnectFailure: Error, Sendable, Hashable {
    /// The system knows no address of the name.
    case unknownName
    /// Nothing answered in time.
    case timedOut
    /// The system reported this `errno`.
    case system(CInt)
    /// Any other failure, in words.
    case other(String)

    /// Takes what NIO reports.
    init(_ error: any Error) {
        switch error {
        case let error as IOError:
            self = .system(error.errnoCode)
        case let error as NIOConnectionError:
            self = error.connectionErrors.first.map { Self($0.error) } ?? .unknownName
        case ChannelError.connectTimeout:
            self = .timedOut
        default:
            self = .other(String(describing: error))
        }
    }

    /// Whether the machine is there and nothing listens on the port.
    package var isRefusal: Bool {
        self == .system(ECONNREFUSED)
    }
}

extension ConnectFailure: CustomStringConvertible {
    /// The failure as the end of a sentence, the system's in its own words.
    package var description: String {
        switch self {
        case .unknownName: "the name is not known"
        case .timedOut: "no answer in time"
        case .system(let code): String(cString: strerror(code))
        case .other(let reason): reason
        }
    }
}

extension Duration {
    /// The duration for a sentence, such as `10 s` or `0.25 s`.
    var inWords: String {
        let (seconds, attoseconds) = components
        let thousandths = attoseconds / 1_000_000_000_000_000
        guard thousandths != 0 else { return "\(seconds) s" }
        var fraction = String(1_000 + thousandths).dropFirst()
        while fraction.last == "0" {
            fraction.removeLast()
        }
        return "\(seconds).\(fraction) s"
    }
}
