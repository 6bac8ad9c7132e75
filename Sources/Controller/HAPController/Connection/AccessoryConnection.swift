internal import AsyncPrimitives
internal import HAPCore
internal import NIOCore
internal import Synchronization

/// A connection to an accessory server: unencrypted first, encrypted after pair-verify.
///
/// It may be used from any executor; the channel is used only on its event loop.
final class AccessoryConnection: Sendable {
    /// The endpoint of the accessory.
    let endpoint: AccessoryEndpoint
    private let channel: any Channel
    private let handler: NIOLoopBound<ControllerChannelHandler>
    private let requestNumbers = Atomic<UInt64>(0)

    /// Wraps a channel that has the handler; called on the channel's event loop.
    init(endpoint: AccessoryEndpoint, channel: any Channel, handler: ControllerChannelHandler) {
        self.endpoint = endpoint
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    deinit {
        // The event loop retains the channel while it is open.
        channel.close(promise: nil)
    }

    /// Sends a request, and returns its response.
    nonisolated(nonsending) func request(
        _ request: HTTPRequest,
        within timeout: Duration
    ) async throws(ControllerError) -> HTTPMessage {
        let responses = await send([request], within: timeout)
        guard let response = responses.first else { preconditionFailure("one request has one response") }
        do throws(ControllerChannelError) {
            return try response.get()
        } catch {
            throw ControllerError(error, at: endpoint, within: timeout)
        }
    }

    /// Sends the first request; must be called on the channel's event loop, in the turn in which it connects.
    ///
    /// Nothing can have arrived by then, so any response counts as the response to this request. An event closes the
    /// connection.
    func sendFirst(
        _ request: HTTPRequest,
        within timeout: Duration
    ) -> EventLoopFuture<Result<HTTPMessage, ControllerError>> {
        let promise = channel.eventLoop.makePromise(of: Result<HTTPMessage, ControllerError>.self)
        let ticket = RequestQueue.RequestID(requestNumbers.wrappingAdd(1, ordering: .relaxed).newValue)
        executeOnLoop { handler in
            handler.onEvent = { _ in self.close(.protocolError(Self.unsubscribedEvent)) }
            handler.send(request, as: ticket, within: timeout) { response in
                promise.succeed(response.mapError { ControllerError($0, at: self.endpoint, within: timeout) })
            }
        }
        return promise.futureResult
    }

    private static let unsubscribedEvent = ProtocolError(
        .sequence,
        "an event without a subscription",
        at: "HTTP response"
    )

    /// Sends several requests with no other request in between; returns the responses in the same order.
    ///
    /// If the task is canceled, each request without a response ends with ``ControllerChannelError/cancelled``.
    nonisolated(nonsending) func send(
        _ requests: [HTTPRequest],
        within timeout: Duration
    ) async -> [ControllerChannelHandler.ResponseResult] {
        let asked = requests.map { request in
            (RequestQueue.RequestID(requestNumbers.wrappingAdd(1, ordering: .relaxed).newValue), request)
        }
        // The cancellation handler may run on the loop before the requests are sent.
        let isCancelled = OneShot<Void>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                executeOnLoop { handler in
                    let responses = ResponseCollector(count: asked.count) { continuation.resume(returning: $0) }
                    for (position, (ticket, request)) in asked.enumerated() {
                        guard !isCancelled.isSet else {
                            responses.set(.failure(.cancelled), at: position)
                            continue
                        }
                        handler.send(request, as: ticket, within: timeout) { responses.set($0, at: position) }
                    }
                }
            }
        } onCancel: {
            isCancelled.set()
            executeOnLoop { handler in
                for (ticket, _) in asked {
                    handler.cancel(ticket)
                }
            }
        }
    }

    /// Switches to encrypted frames.
    func secure(with keys: SessionKeys) {
        executeOnLoop { $0.secure(with: keys) }
    }

    /// Delivers events from now on, and reports the end of the connection once.
    ///
    /// If it has already ended, `end` is called immediately.
    ///
    /// Both functions are called on the event loop.
    func observe(
        events: @escaping @Sendable ([UInt8]) -> Void,
        end: @escaping @Sendable (ControllerChannelError) -> Void
    ) {
        executeOnLoop { handler in
            if let reason = handler.closeReason {
                end(reason)
            } else {
                handler.onEvent = events
                handler.onClose = end
            }
        }
    }

    /// Returns whether the connection uses this channel.
    func uses(_ channel: any Channel) -> Bool {
        self.channel === channel
    }

    /// Closes the connection.
    func close(_ reason: ControllerChannelError = .local) {
        executeOnLoop { $0.close(reason) }
    }

    private func executeOnLoop(_ body: @escaping @Sendable (ControllerChannelHandler) -> Void) {
        if channel.eventLoop.inEventLoop {
            body(handler.value)
        } else {
            channel.eventLoop.execute { body(self.handler.value) }
        }
    }
}
