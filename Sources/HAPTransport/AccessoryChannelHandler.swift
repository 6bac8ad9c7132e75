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

    /// What waits to be sent at most before it is sent at once, in bytes.
    private static let maximumOutput = 64 << 10

    let delegate: any AccessoryChannelDelegate
    let receiveBudgets: (clear: ByteBudget, session: ByteBudget)
    let unsentBudget: ByteBudget
    var countedBytes = (received: 0, unsent: 0)
    private(set) var isSecure = false
    private let batch: SendBatch
    var bufferedCodec = BufferedAccessoryCodec()
    private(set) var context: ChannelHandlerContext?
    /// What leaves in pieces, by an injected fault; `nil` for a connection whose messages leave whole.
    var pieces: MessagePieces?
    /// What leaves in several turns of the event loop, as it is large.
    var longMessage: LongMessage?
    var plaintext: [UInt8] = []
    private var closeReason: ChannelCloseReason?
    private var isAwaitingResponse = false
    private var isDelivering = false
    /// What was handed on and composed since others had their turn.
    private var turn = (requests: 0, bytes: 0)
    private var isYielding = false
    private var isReadDeferred = false

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - budgets: What its connection shares with others: for unfinished requests before and after it is verified, and
    ///     for what has not left.
    ///   - batch: With whose other connections its messages leave.
    package init(
        delegate: any AccessoryChannelDelegate,
        budgets: (clear: ByteBudget, session: ByteBudget, unsent: ByteBudget),
        batch: SendBatch
    ) {
        self.delegate = delegate
        receiveBudgets = (budgets.clear, budgets.session)
        unsentBudget = budgets.unsent
        self.batch = batch
    }

    /// Whether a request is arriving or being answered, so that an event has to wait.
    ///
    /// HAP: §14
    package var isBusy: Bool {
        isAwaitingResponse || bufferedCodec.codec.isMidRequest || isSendingInParts
    }

    /// Whether a part of a request has arrived, and the one before it was answered.
    package var isReceiving: Bool {
        !isAwaitingResponse && bufferedCodec.codec.isMidRequest
    }

    /// Where the options of the connection's socket are set, as long as it is open.
    package var socket: (any SocketOptionProvider)? {
        context?.channel as? any SocketOptionProvider
    }

    /// Whether the delegate is to be told, once, when the connection is neither busy nor blocked any more.
    package var reportsWhenReady = false

    /// Whether the peer reads what it is sent.
    package private(set) var isWritable = false

    /// Answers the request that was handed on last.
    package func respond(_ response: HTTPResponse, then sequel: ResponseCompletion = ResponseCompletion()) {
        plaintext.removeAll(keepingCapacity: true)
        response.append(to: &plaintext)
        finishResponse(sequel)
    }

    /// Answers with bytes that take the place of a composed response.
    package func respond(
        replacement: [UInt8],
        isCorrupt: Bool = false,
        then sequel: ResponseCompletion = ResponseCompletion()
    ) {
        plaintext = replacement
        finishResponse(sequel, isCorrupt: isCorrupt)
    }

    /// Goes on without having answered: an injected fault.
    ///
    /// What follows the response happens all the same.
    package func skipResponse(then sequel: ResponseCompletion = ResponseCompletion()) {
        if let keys = sequel.keys {
            secure(with: keys)
        }
        sequel.onWritten?()
        if sequel.closesConnection {
            close(.pairingRemoved)
            return
        }
        isAwaitingResponse = false
        deliverRequests()
    }

    /// Takes requests again that had to wait for the pieces of a message to leave.
    func resumeDelivery() {
        deliverRequests()
        reportIfReady()
    }

    /// Sends the part of a long message, or hands on the requests, that had to wait for the turn of others.
    package func resume() {
        sendWaitingPart()
        guard isYielding, context != nil else { return }
        isYielding = false
        resumeDelivery()
    }

    /// Sends a composed message that answers nothing.
    package func send(_ message: [UInt8], isCorrupt: Bool = false) {
        plaintext.removeAll(keepingCapacity: true)
        plaintext.append(contentsOf: message)
        write(isCorrupt: isCorrupt, then: nil)
    }

    /// Closes the connection; what was encoded before still leaves, and the rest of a long message does not.
    package func close(_ reason: ChannelCloseReason) {
        guard let context, closeReason == nil else { return }
        closeReason = reason
        sendOutput()
        sendAllPieces()
        cancelLongMessage()
        context.close(promise: nil)
    }

    /// Closes the connection when the peer has taken what it was sent, or when it was given enough time for that.
    ///
    /// No further request is taken. Returns when the connection has closed; `nil` when it has already.
    package func closeWhenSent(within timeout: TimeAmount) -> EventLoopFuture<Void>? {
        guard let context, closeReason == nil else { return nil }
        isAwaitingResponse = true
        encodeLongMessage()
        sendOutput()
        sendAllPieces()
        let giveUp = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { self.close(.local) }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated()
            .whenComplete { _ in
                giveUp.cancel()
                self.close(.local)
            }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
        return context.channel.closeFuture
    }

    // MARK: Channel events

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        isWritable = false
    }

    package func channelActive(context: ChannelHandlerContext) {
        // The channel knows it; the context would ask the system again.
        delegate.didOpen(self, peer: context.channel.remoteAddress)
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard closeReason == nil else { return }
        if !isSecure {
            // Pairing takes long: what others are to be sent does not wait for it.
            batch.send()
        }
        let fault = unwrapInboundIn(data)
            .withUnsafeReadableBytes { bytes -> ProtocolError? in
                do throws(ProtocolError) {
                    try bufferedCodec.codec.receive(bytes)
                    return nil
                } catch {
                    return error
                }
            }
        if let fault {
            close(.protocolError(fault))
            return
        }
        deliverRequests()
        countReceivedBytes()
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        reportIfReady()
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        if isAwaitingResponse || isYielding || !isWritable || isSendingInParts {
            isReadDeferred = true
        } else {
            context.read()
        }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable {
            deliverRequests()
            reportIfReady()
        }
        context.fireChannelWritabilityChanged()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(.network(String(describing: error)))
    }

    package func channelInactive(context: ChannelHandlerContext) {
        let reason = closeReason ?? .peer
        closeReason = reason
        cancelLongMessage()
        resetReceivedBytes()
        delegate.didClose(self, reason)
        context.fireChannelInactive()
    }

    // MARK: Requests and messages

    private func deliverRequests() {
        guard !isDelivering, !isYielding else { return }
        isDelivering = true
        defer { isDelivering = false }
        turn = (0, 0)
        while !isAwaitingResponse, !isSendingInParts, closeReason == nil, context != nil {
            guard isWritable else {
                // The peer does not read its answers: it gets no more of them until it does.
                sendOutput()
                guard isWritable else { return }
                continue
            }
            let isTurnOver = turn.requests >= Self.requestsPerTurn || turn.bytes >= LongMessage.partSize
            guard !isTurnOver || !bufferedCodec.codec.isMidRequest else {
                isYielding = true
                delegate.didYield(self)
                return
            }
            do throws(ProtocolError) {
                guard let request = try bufferedCodec.codec.nextRequest() else { break }
                turn.requests += 1
                isAwaitingResponse = true
                delegate.didReceive(request, on: self)
            } catch {
                refuse(error)
            }
        }
        if countedBytes.received > 0 {
            countReceivedBytes()
        }
        performDeferredRead()
    }

    /// A chunked request is answered before the connection closes, everything else that is malformed just ends it.
    ///
    /// HAP: §10, §0 (bodies)
    private func refuse(_ error: ProtocolError) {
        guard error == HTTPRequestDecoder.chunkedBodyError else {
            close(.protocolError(error))
            return
        }
        isAwaitingResponse = true
        plaintext.removeAll(keepingCapacity: true)
        HTTPResponse(.badRequest).append(to: &plaintext)
        write { handler in handler.close(.protocolError(error)) }
    }

    private func finishResponse(_ sequel: ResponseCompletion, isCorrupt: Bool = false) {
        guard context != nil else {
            sequel.onWritten?()
            return
        }
        if sequel.closesConnection {
            write { handler in
                sequel.onWritten?()
                handler.closeWhenAcknowledged(.pairingRemoved)
            }
            return
        }
        isAwaitingResponse = false
        write(isCorrupt: isCorrupt, then: sequel.onWritten.map { whenWritten in { _ in whenWritten() } })
        if let keys = sequel.keys {
            encodeLongMessage()
            secure(with: keys)
        }
        deliverRequests()
    }

    private func secure(with keys: SessionKeys) {
        resetReceivedBytes()
        isSecure = true
        bufferedCodec.codec.secure(with: keys)
    }

    /// Encodes what is in `plaintext`, and sends it by the end of this turn of the event loop.
    ///
    /// `next` is called once, when it has left or cannot leave any more.
    private func write(isCorrupt: Bool = false, then next: ((AccessoryChannelHandler) -> Void)?) {
        guard context != nil, closeReason == nil else {
            next?(self)
            return
        }
        turn.bytes += plaintext.count
        // Only injected faults send something before a long message has left.
        encodeLongMessage()
        if plaintext.count > LongMessage.partSize, !isCorrupt, pieces == nil {
            sendInParts(then: next)
            return
        }
        let isWaiting = bufferedCodec.unsentByteCount > 0
        let count = bufferedCodec.encode(plaintext)
        if isCorrupt {
            bufferedCodec.corruptLastByte()
        }
        if plaintext.capacity > BufferedAccessoryCodec.retainedCapacity {
            plaintext = []
        }
        if next != nil || !isSecure || count > Self.maximumOutput || pieces != nil {
            sendOutput(then: next)
        } else if !isWaiting {
            batch.add(self)
        }
    }

    /// Sends what was encoded and has not been sent yet.
    ///
    /// `next` is called once, when it has left or cannot leave any more.
    func sendOutput(then next: ((AccessoryChannelHandler) -> Void)? = nil) {
        guard let context, bufferedCodec.unsentByteCount > 0 else {
            next?(self)
            return
        }
        if pieces != nil {
            sendInPieces(then: next)
            return
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated()
            .whenComplete { result in
                if case .failure(let error as IOError) = result {
                    // NIO reports the error of a write to its promise alone.
                    self.closeReason = self.closeReason ?? .network(String(describing: error))
                }
                next?(self)
            }
        context.writeAndFlush(wrapOutboundOut(bufferedCodec.takeUnsent()), promise: promise)
    }

    private func reportIfReady() {
        guard reportsWhenReady, !isBusy, isWritable else { return }
        reportsWhenReady = false
        delegate.didBecomeReady(self)
    }

    private func performDeferredRead() {
        guard isReadDeferred, !isAwaitingResponse, isWritable, !isSendingInParts, let context else { return }
        isReadDeferred = false
        context.read()
    }
}
