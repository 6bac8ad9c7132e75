internal import AsyncPrimitives
internal import HAPCore
internal import HAPTransport
internal import NIOCore
internal import Synchronization

/// One connection to an accessory server: in clear first, in frames once it is secured.
///
/// Handles the channel on its event loop, whoever calls.
final class AccessoryConnection: Sendable {
    /// Where it leads.
    let place: AccessoryPlace
    private let channel: any Channel
    private let handler: NIOLoopBound<ControllerChannelHandler>
    private let tickets = Atomic<UInt64>(0)

    /// Takes a channel that has the handler in it; called on the channel's event loop.
    init(place: AccessoryPlace, channel: any Channel, handler: ControllerChannelHandler) {
        self.place = place
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    deinit {
        // The event loop holds the channel as long as it is open.
        channel.close(promise: nil)
    }

    /// Asks one thing.
    nonisolated(nonsending) func request(
        _ request: HTTPRequest,
        within patience: Duration
    ) async throws(ControllerError) -> HTTPMessage {
        let answers = await exchange([request], within: patience)
        guard let answer = answers.first else { preconditionFailure("one request has one answer") }
        do throws(ControllerChannelEnd) {
            return try answer.get()
        } catch {
            throw ControllerError(error, at: place, within: patience)
        }
    }

    /// Asks one thing, called on the channel's event loop in the turn in which it connects.
    ///
    /// Nothing has arrived by then, so that even what the other side says unasked counts as its answer. An event does not.
    func answer(
        to request: HTTPRequest,
        within patience: Duration
    ) -> EventLoopFuture<Result<HTTPMessage, ControllerError>> {
        let promise = channel.eventLoop.makePromise(of: Result<HTTPMessage, ControllerError>.self)
        let ticket = RequestQueue.Ticket(tickets.wrappingAdd(1, ordering: .relaxed).newValue)
        onLoop { handler in
            handler.onEvent = { _ in self.close(.fault(Self.unsubscribedEvent)) }
            handler.request(request, as: ticket, within: patience) { answer in
                promise.succeed(answer.mapError { ControllerError($0, at: self.place, within: patience) })
            }
        }
        return promise.futureResult
    }

    private static let unsubscribedEvent = ProtocolError(
        .sequence,
        "an event without a subscription",
        at: "HTTP response"
    )

    /// Asks several things without anything else between them; the answers are in the same order.
    ///
    /// When the task is cancelled, each one that is not answered has ended with ``ControllerChannelEnd/cancelled``.
    nonisolated(nonsending) func exchange(
        _ requests: [HTTPRequest],
        within patience: Duration
    ) async -> [ControllerChannelHandler.Answer] {
        let asked = requests.map { request in
            (RequestQueue.Ticket(tickets.wrappingAdd(1, ordering: .relaxed).newValue), request)
        }
        // Cancelling may be on the loop before the requests are.
        let isCancelled = OneShot<Void>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                onLoop { handler in
                    let answers = Gathering(count: asked.count) { continuation.resume(returning: $0) }
                    for (position, (ticket, request)) in asked.enumerated() {
                        guard !isCancelled.isSet else {
                            answers.put(.failure(.cancelled), at: position)
                            continue
                        }
                        handler.request(request, as: ticket, within: patience) { answers.put($0, at: position) }
                    }
                }
            }
        } onCancel: {
            isCancelled.set()
            onLoop { handler in
                for (ticket, _) in asked {
                    handler.cancel(ticket)
                }
            }
        }
    }

    /// Speaks in frames from now on.
    func secure(with keys: SessionKeys) {
        onLoop { $0.secure(with: keys) }
    }

    /// Hands on events from now on, and tells of the end once; at once if the end has come already.
    ///
    /// Both are called on the event loop.
    func observe(
        events: @escaping @Sendable ([UInt8]) -> Void,
        end: @escaping @Sendable (ControllerChannelEnd) -> Void
    ) {
        onLoop { handler in
            if let reason = handler.end {
                end(reason)
            } else {
                handler.onEvent = events
                handler.onEnd = end
            }
        }
    }

    /// Whether it is this channel's.
    func isOver(_ channel: any Channel) -> Bool {
        self.channel === channel
    }

    /// Ends it.
    func close(_ reason: ControllerChannelEnd = .ended) {
        onLoop { $0.close(reason) }
    }

    private func onLoop(_ body: @escaping @Sendable (ControllerChannelHandler) -> Void) {
        if channel.eventLoop.inEventLoop {
            body(handler.value)
        } else {
            channel.eventLoop.execute { body(self.handler.value) }
        }
    }
}
