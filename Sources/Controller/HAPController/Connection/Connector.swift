internal import Glibc
package import HAPCore
internal import NIOCore
internal import NIOPosix

/// Connects to the possible endpoints of an accessory.
package enum Connector {
    /// Connects to the first of several endpoints that accepts.
    ///
    /// All endpoints, and all addresses of a host name, are tried concurrently.
    ///
    /// - Throws: ``ControllerError/Code/unreachable`` if none accepts in time; ``ControllerError/Code/cancelled`` as
    ///   soon as the task is canceled.
    static func connect(
        to endpoints: [AccessoryEndpoint],
        by transport: any ControllerTransport,
        within timeout: Duration,
        configuration: ControllerConfiguration,
        on loop: any EventLoop
    ) async throws(ControllerError) -> AccessoryConnection {
        let limits = HTTPLimits(
            maximumHeadBytes: HTTPLimits.responses.maximumHeadBytes,
            maximumBodyBytes: max(0, configuration.maximumBodyBytes),
            maximumEventBytes: min(max(0, configuration.maximumBodyBytes), HTTPLimits.responses.maximumEventBytes)
        )
        let promise = loop.makePromise(of: AccessoryConnection.self)
        let attempts = endpoints.map { endpoint in
            connect(
                to: endpoint,
                by: transport,
                within: timeout,
                limits: limits,
                for: promise.futureResult,
                on: loop
            )
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
            throw .unreachable(endpoints, reason: reason(for: error, within: timeout))
        }
    }

    /// Sends one unencrypted request over a separate connection, and returns the response, whatever its status.
    ///
    /// The timeout covers both the connection and the response. The result is a failure if there is a connection but no
    /// response: ``ControllerError/Code/timedOut``, ``ControllerError/Code/connectionLost`` or
    /// ``ControllerError/Code/malformed(_:)``. Canceling the task does not end it earlier.
    package static func sendUnencrypted(
        _ request: HTTPRequest,
        at endpoint: AccessoryEndpoint,
        within timeout: Duration
    ) async throws(ConnectFailure) -> Result<HTTPMessage, ControllerError> {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        let loop = Controller.nextEventLoop()
        let winner = loop.makePromise(of: AccessoryConnection.self)
        // Everything starts on the loop, because the callback of a future that completes elsewhere would run a turn
        // later.
        let response = loop.flatSubmit {
            let attempt = connect(
                to: endpoint,
                by: TCPTransport(),
                within: timeout,
                limits: .unverifiedResponses,
                for: winner.futureResult,
                on: loop
            )
            attempt.cascade(to: winner)
            return attempt.flatMap { connection in
                connection.sendFirst(request, within: ContinuousClock.now.duration(to: deadline))
                    .always { _ in connection.close() }
            }
        }
        do {
            return try await response.get()
        } catch {
            throw ConnectFailure(error)
        }
    }

    private static func connect(
        to endpoint: AccessoryEndpoint,
        by transport: any ControllerTransport,
        within timeout: Duration,
        limits: HTTPLimits,
        for winner: EventLoopFuture<AccessoryConnection>,
        on loop: any EventLoop
    ) -> EventLoopFuture<AccessoryConnection> {
        let bootstrap = ClientBootstrap(group: loop)
            .channelInitializer { channel in
                // Connections that are established after the winner are closed, and so are pending ones when no caller
                // waits any longer.
                winner.whenComplete { result in
                    if case .success(let connection) = result, connection.uses(channel) { return }
                    channel.close(promise: nil)
                }
                return channel.eventLoop.makeCompletedFuture {
                    let handler = ControllerChannelHandler(host: endpoint.hostHeader, sessionLimits: limits)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        return transport.connect(bootstrap, to: endpoint, within: timeout)
            .flatMapThrowing { channel in
                let handler = try channel.pipeline.syncOperations.handler(type: ControllerChannelHandler.self)
                return AccessoryConnection(endpoint: endpoint, channel: channel, handler: handler)
            }
    }

    /// Returns the reason as the part of a message that follows a colon.
    private static func reason(for error: any Error, within timeout: Duration) -> String {
        let failure = ConnectFailure(error)
        switch failure {
        case .timedOut: return "no answer within \(timeout.durationText)"
        case .system: return failure.description.lowercased()
        case .unknownName, .other: return failure.description
        }
    }
}

/// The reason why connecting to an endpoint, or an open connection to it, failed.
package enum ConnectFailure: Error, Sendable, Hashable {
    /// The system's resolver found no address for the name.
    case unknownName
    /// Nothing answered in time.
    case timedOut
    /// The system reported this `errno`.
    case system(CInt)
    /// Any other failure, in words.
    case other(String)

    /// Converts an error of NIO.
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

    /// Whether the host refused the connection: it answers, but no program listens on the port.
    package var isRefusal: Bool {
        self == .system(ECONNREFUSED)
    }
}

extension ConnectFailure: CustomStringConvertible {
    /// The failure as the end of a sentence; a failure of the system is in the system's words.
    package var description: String {
        switch self {
        case .unknownName: "the host name is unknown"
        case .timedOut: "no answer in time"
        case .system(let code): String(cString: strerror(code))
        case .other(let reason): reason
        }
    }
}

extension Duration {
    /// The duration for a sentence, such as `10 s` or `0.25 s`.
    var durationText: String {
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
