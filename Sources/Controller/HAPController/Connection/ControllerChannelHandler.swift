package import HAPCore
package import NIOCore

/// A connection to an accessory on the controller's side: converts requests into bytes, and bytes into responses and
/// events.
///
/// Everything runs on the channel's event loop. A protocol error of the accessory ends the connection, and every
/// pending request then fails with it.
package final class ControllerChannelHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer
    package typealias ResponseResult = Result<HTTPMessage, ControllerChannelError>

    private let host: String
    private var codec: ControllerConnectionCodec
    private var queue = RequestQueue()
    private var completions: [RequestQueue.RequestID: (ResponseResult) -> Void] = [:]
    private var timer: (deadline: MonotonicInstant, task: Scheduled<Void>)?
    private var context: ChannelHandlerContext?
    private var isDelivering = false
    /// The reason why the connection ended; `nil` while it is open.
    private(set) var closeReason: ControllerChannelError?
    /// Called with the body of every event.
    package var onEvent: (([UInt8]) -> Void)?
    /// Called once when the connection has ended.
    package var onClose: ((ControllerChannelError) -> Void)?

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - host: The host in the head of requests.
    ///   - sessionLimits: The limits for a response within a session.
    package init(host: String, sessionLimits: HTTPLimits) {
        self.host = host
        codec = ControllerConnectionCodec(sessionLimits: sessionLimits)
    }

    /// Sends a request as soon as all earlier requests have been answered.
    ///
    /// `completion` is called once, with the error or with the response, whatever its status is.
    package func send(
        _ request: HTTPRequest,
        as ticket: RequestQueue.RequestID,
        within patience: Duration,
        completion: @escaping (ResponseResult) -> Void
    ) {
        guard closeReason == nil, let context else {
            completion(.failure(closeReason ?? .local))
            return
        }
        if !codec.isSecure, !queue.isAwaitingResponse, codec.isMidMessage {
            // Without encryption, bytes that arrived before the request would count as its response, so they are an
            // error.
            completion(.failure(.protocolError(RequestQueue.unsolicitedResponse)))
            finish(.protocolError(RequestQueue.unsolicitedResponse))
            return
        }
        completions[ticket] = completion
        if let action = queue.enqueue(request, as: ticket, within: patience, at: context.eventLoop.monotonicNow) {
            perform(action)
        }
        setTimer()
    }

    /// Cancels a request; the accessory may have executed it.
    package func cancel(_ ticket: RequestQueue.RequestID) {
        if queue.cancel(ticket) {
            completions.removeValue(forKey: ticket)?(.failure(.cancelled))
        }
    }

    /// Switches to encrypted frames.
    package func secure(with keys: SessionKeys) {
        guard closeReason == nil else { return }
        codec.secure(with: keys)
        deliverMessages()
    }

    /// Closes the connection, unless it has ended.
    func close(_ reason: ControllerChannelError = .local) {
        finish(reason)
    }

    // MARK: Channel events

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        finish(.peer)
        self.context = nil
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard closeReason == nil else { return }
        let fault = unwrapInboundIn(data)
            .withUnsafeReadableBytes { bytes -> ProtocolError? in
                do throws(ProtocolError) {
                    try codec.receive(bytes)
                    return nil
                } catch {
                    return error
                }
            }
        // Complete messages that arrived before the error are still delivered.
        deliverMessages()
        if let fault {
            finish(.protocolError(fault))
        } else if codec.unreadCleartextByteCount > ControllerConnectionCodec.maximumUnreadCleartextBytes {
            finish(.protocolError(ControllerConnectionCodec.tooManyUnreadBytes))
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        finish(.peer)
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.network(ConnectFailure(error).description))
    }

    // MARK: Messages

    private func deliverMessages() {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        do throws(ProtocolError) {
            // Without encryption, only expected responses are parsed: the last response of pair-verify is followed by
            // frames.
            while closeReason == nil, let context, codec.isSecure || queue.isAwaitingResponse,
                let message = try codec.nextMessage()
            {
                for action in try queue.receive(message, at: context.eventLoop.monotonicNow) {
                    perform(action)
                }
            }
        } catch {
            finish(.protocolError(error))
        }
        setTimer()
    }

    private func perform(_ action: RequestQueue.Action) {
        switch action {
        case .send(let request): write(request)
        case .response(let ticket, let message): completions.removeValue(forKey: ticket)?(.success(message))
        case .event(let body): onEvent?(body)
        }
    }

    private func write(_ request: HTTPRequest) {
        guard let context else { return }
        var message: [UInt8] = []
        request.append(to: &message, host: host)
        let size = codec.encodedSize(of: message.count)
        var buffer = context.channel.allocator.buffer(capacity: size)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { target in
            codec.encode(message, into: UnsafeMutableRawBufferPointer(rebasing: target[..<size]))
            return size
        }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    /// Ensures that the timer fires at the next deadline or earlier.
    ///
    /// If it fires too early, it is set again.
    private func setTimer() {
        guard closeReason == nil, let context, let deadline = queue.nextDeadline else { return }
        if let timer {
            guard deadline < timer.deadline else { return }
            timer.task.cancel()
        }
        let loop = context.eventLoop.assumeIsolated()
        let task = loop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))) {
            self.timer = nil
            if self.queue.isOverdue(at: context.eventLoop.monotonicNow) {
                self.finish(.timeout)
            } else {
                self.setTimer()
            }
        }
        timer = (deadline, task)
    }

    private func finish(_ reason: ControllerChannelError) {
        guard closeReason == nil else { return }
        closeReason = reason
        timer?.task.cancel()
        timer = nil
        for ticket in queue.close() {
            completions.removeValue(forKey: ticket)?(.failure(reason))
        }
        context?.close(promise: nil)
        let onEnd = self.onClose
        self.onClose = nil
        onEvent = nil
        onEnd?(reason)
    }
}

/// The reason why a connection to an accessory ended, or a request failed.
package enum ControllerChannelError: Error, Sendable, Hashable {
    /// The accessory closed it.
    case peer
    /// The accessory violated the protocol.
    case protocolError(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The accessory did not respond in time.
    case timeout
    /// The owner of the connection closed it.
    case local
    /// The owner of the connection closed it because of another request, with the reason as a sentence.
    case aborted(String)
    /// The caller canceled the request; the connection stays open.
    case cancelled
}
