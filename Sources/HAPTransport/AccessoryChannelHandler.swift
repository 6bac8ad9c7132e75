package import HAPCore
package import NIOCore

/// One controller's connection on the accessory's side: bytes from the socket become requests, responses and events
/// become bytes.
///
/// Everything happens on the channel's event loop. A request is handed on only when the one before it was answered, so
/// that answers keep their order; meanwhile, and while the peer does not read, nothing more is read from it.
package final class AccessoryChannelHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = Never
    package typealias OutboundOut = ByteBuffer

    /// How many requests are handed on before other connections have their turn.
    package static let requestsPerTurn = 8

    /// What an idle connection may keep for its next message, in bytes.
    private static let keptCapacity = 16 << 10

    private let delegate: any AccessoryChannelDelegate
    private let budgets: (clear: ReceiveBudget, session: ReceiveBudget)
    private var countedBytes = 0
    private var isSecure = false
    private var codec = AccessoryConnectionCodec()
    private var context: ChannelHandlerContext?
    private var output = ByteBuffer()
    private var plaintext: [UInt8] = []
    private var closeReason: ChannelCloseReason?
    private var isAwaitingResponse = false
    private var isDelivering = false
    private var isYielding = false
    private var isReading = false
    private var isReadHeld = false
    private var needsFlush = false

    /// Creates a handler whose connection shares these budgets with others, before and after it is verified.
    package init(
        delegate: any AccessoryChannelDelegate,
        budgets: (clear: ReceiveBudget, session: ReceiveBudget)
    ) {
        self.delegate = delegate
        self.budgets = budgets
    }

    /// Whether a request is arriving or being answered, so that an event has to wait.
    ///
    /// HAP: §14
    package var isBusy: Bool {
        isAwaitingResponse || codec.isMidRequest
    }

    /// Whether a part of a request has arrived, and the one before it was answered.
    package var isReceiving: Bool {
        !isAwaitingResponse && codec.isMidRequest
    }

    /// Where the options of the connection's socket are set, as long as it is open.
    package var socket: (any SocketOptionProvider)? {
        context?.channel as? any SocketOptionProvider
    }

    /// Whether the delegate is to be told, once, when the connection is neither busy nor blocked any more.
    package var reportsWhenFree = false

    /// Whether the peer reads what it is sent.
    package var isWritable: Bool {
        context?.channel.isWritable ?? false
    }

    /// Answers the request that was handed on last.
    package func respond(_ response: HTTPResponse, then sequel: ResponseSequel = ResponseSequel()) {
        plaintext.removeAll(keepingCapacity: true)
        response.append(to: &plaintext)
        finishResponse(sequel)
    }

    /// Answers with bytes that take the place of a composed response.
    package func respond(replacement: [UInt8], then sequel: ResponseSequel = ResponseSequel()) {
        plaintext = replacement
        finishResponse(sequel)
    }

    /// Goes on without having answered: an injected fault.
    ///
    /// What follows the response happens all the same.
    package func skipResponse(then sequel: ResponseSequel = ResponseSequel()) {
        if let keys = sequel.keys {
            secure(with: keys)
        }
        sequel.whenWritten?()
        if sequel.closesConnection {
            close(.pairingRemoved)
            return
        }
        isAwaitingResponse = false
        deliverRequests()
    }

    /// Hands on the requests that had to wait for the others' turn.
    package func goOn() {
        guard isYielding, let context else { return }
        isYielding = false
        isReading = true
        deliverRequests()
        isReading = false
        flushIfNeeded(context)
        reportIfFree()
    }

    /// Sends a composed message that answers nothing.
    package func send(_ message: [UInt8]) {
        plaintext.removeAll(keepingCapacity: true)
        plaintext.append(contentsOf: message)
        write(then: nil)
    }

    /// Closes the connection; what was sent before still leaves.
    package func close(_ reason: ChannelCloseReason) {
        guard let context, closeReason == nil else { return }
        closeReason = reason
        flushIfNeeded(context)
        context.close(promise: nil)
    }

    /// Closes the connection when the peer has taken what it was sent, or when it was given enough time for that.
    ///
    /// No further request is taken. Returns when the connection has closed; `nil` when it has already.
    package func closeWhenSent(within patience: TimeAmount) -> EventLoopFuture<Void>? {
        guard let context, closeReason == nil else { return nil }
        isAwaitingResponse = true
        let giveUp = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { self.close(.ended) }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated()
            .whenComplete { _ in
                giveUp.cancel()
                self.close(.ended)
            }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
        return context.channel.closeFuture
    }

    // MARK: Channel events

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    package func channelActive(context: ChannelHandlerContext) {
        delegate.opened(self, peer: context.remoteAddress)
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard closeReason == nil else { return }
        isReading = true
        let fault = unwrapInboundIn(data)
            .withUnsafeReadableBytes { bytes -> ProtocolError? in
                do throws(ProtocolError) {
                    try codec.receive(bytes)
                    return nil
                } catch {
                    return error
                }
            }
        if let fault {
            close(.fault(fault))
            return
        }
        deliverRequests()
        countReceivedBytes()
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        flushIfNeeded(context)
        reportIfFree()
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        if isAwaitingResponse || isYielding || !context.channel.isWritable {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            deliverRequests()
            reportIfFree()
        }
        context.fireChannelWritabilityChanged()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(.network(String(describing: error)))
    }

    package func channelInactive(context: ChannelHandlerContext) {
        let reason = closeReason ?? .peer
        closeReason = reason
        _ = budget.exchange(&countedBytes, for: 0)
        delegate.closed(self, reason)
        context.fireChannelInactive()
    }

    // MARK: Requests and messages

    private func deliverRequests() {
        guard !isDelivering, !isYielding else { return }
        isDelivering = true
        defer { isDelivering = false }
        var delivered = 0
        while !isAwaitingResponse, closeReason == nil, let context {
            guard context.channel.isWritable else {
                // The peer does not read its answers: it gets no more of them until it does.
                flushIfNeeded(context)
                guard context.channel.isWritable else { return }
                continue
            }
            guard delivered < Self.requestsPerTurn || !codec.isMidRequest else {
                isYielding = true
                delegate.yielded(self)
                return
            }
            do throws(ProtocolError) {
                guard let request = try codec.nextRequest() else { break }
                delivered += 1
                isAwaitingResponse = true
                delegate.received(request, on: self)
            } catch {
                refuse(error)
            }
        }
        if countedBytes > 0 {
            countReceivedBytes()
        }
        releaseRead()
    }

    /// A chunked request is answered before the connection closes, everything else that is malformed just ends it.
    ///
    /// HAP: §10, §0 (bodies)
    private func refuse(_ error: ProtocolError) {
        guard error == HTTPRequestDecoder.chunkedBody else {
            close(.fault(error))
            return
        }
        isAwaitingResponse = true
        plaintext.removeAll(keepingCapacity: true)
        HTTPResponse(.badRequest).append(to: &plaintext)
        write { handler in handler.close(.fault(error)) }
    }

    private func finishResponse(_ sequel: ResponseSequel) {
        guard context != nil else {
            sequel.whenWritten?()
            return
        }
        if sequel.closesConnection {
            write { handler in
                sequel.whenWritten?()
                handler.close(.pairingRemoved)
            }
            return
        }
        isAwaitingResponse = false
        write(then: sequel.whenWritten.map { whenWritten in { _ in whenWritten() } })
        if let keys = sequel.keys {
            secure(with: keys)
        }
        deliverRequests()
    }

    private func secure(with keys: SessionKeys) {
        _ = budget.exchange(&countedBytes, for: 0)
        isSecure = true
        codec.secure(with: keys)
    }

    private var budget: ReceiveBudget {
        isSecure ? budgets.session : budgets.clear
    }

    /// Many unfinished requests together may not take the memory that one of them may.
    private func countReceivedBytes() {
        let count = codec.receivedByteCount
        guard count > ReceiveBudget.uncounted || countedBytes > 0 else { return }
        if !budget.exchange(&countedBytes, for: count) {
            close(.fault(ProtocolError(.tooLarge, "all requests under way are too large together", at: "connection")))
        }
    }

    /// Encodes and sends what is in `plaintext`.
    ///
    /// `next` is called once, when it has left or cannot leave any more.
    private func write(then next: ((AccessoryChannelHandler) -> Void)?) {
        guard let context, closeReason == nil else {
            next?(self)
            return
        }
        output.clear()
        let size = codec.encodedSize(of: plaintext.count)
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { target in
            codec.encode(plaintext, into: UnsafeMutableRawBufferPointer(rebasing: target[..<size]))
            return size
        }
        defer { trimBuffers() }
        guard let next else {
            context.write(wrapOutboundOut(output), promise: nil)
            needsFlush = true
            if !isReading {
                flushIfNeeded(context)
            }
            return
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in next(self) }
        context.writeAndFlush(wrapOutboundOut(output), promise: promise)
    }

    private func reportIfFree() {
        guard reportsWhenFree, !isBusy, isWritable else { return }
        reportsWhenFree = false
        delegate.free(self)
    }

    private func flushIfNeeded(_ context: ChannelHandlerContext) {
        if needsFlush {
            needsFlush = false
            context.flush()
        }
    }

    /// A large message does not hold its memory once it was sent.
    private func trimBuffers() {
        if plaintext.capacity > Self.keptCapacity {
            plaintext = []
        }
        if output.capacity > Self.keptCapacity {
            output = ByteBuffer()
        }
    }

    private func releaseRead() {
        guard isReadHeld, !isAwaitingResponse, let context, context.channel.isWritable else { return }
        isReadHeld = false
        context.read()
    }
}
