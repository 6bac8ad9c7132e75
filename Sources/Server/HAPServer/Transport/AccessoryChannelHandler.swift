internal import HAPCore
internal import NIOCore

/// A controller's connection on the accessory's side: converts bytes into requests, and responses and events into
/// bytes.
///
/// Everything runs on the channel's event loop. A request is delivered only after the previous one was answered, so
/// responses keep their order. While a response is pending, or the peer does not read its responses, nothing more is
/// read from the connection.
final class AccessoryChannelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The number of requests that are delivered before other connections have their turn.
    static let requestsPerTurn = 8

    /// The number of unsent bytes beyond which a message is sent without waiting for the end of the turn.
    private static let maximumOutput = 64 << 10

    let delegate: any AccessoryChannelDelegate
    let receiveBudgets: (clear: ByteBudget, session: ByteBudget)
    let unsentBudget: ByteBudget
    var countedBytes = (received: 0, unsent: 0)
    private(set) var isSecure = false
    private let batch: SendBatch
    var bufferedCodec = BufferedAccessoryCodec()
    private(set) var context: ChannelHandlerContext?
    /// The pieces in which an injected fault sends messages; `nil` for a connection that sends whole messages.
    var pieces: MessagePieces?
    /// A large message that is sent in several turns of the event loop.
    var longMessage: LongMessage?
    var plaintext: [UInt8] = []
    private var closeReason: CloseReason?
    private var isAwaitingResponse = false
    private var isReceivingStopped = false
    private var isDelivering = false
    /// The requests and encoded bytes since other connections last had their turn.
    private var turn = (requests: 0, bytes: 0)
    private var isYielding = false
    private var isReadDeferred = false
    /// Whether bytes are passed to the socket.
    ///
    /// A write that fails at once closes the channel before it returns. NIO reports its error only through a promise, which
    /// would take a tenth of the instructions of a read.
    private var isWriting = false

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - budgets: The shared limits for unfinished requests before and after pair-verify, and for unsent messages.
    ///   - batch: The batch with which its messages are sent.
    init(
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
    var isBusy: Bool {
        isAwaitingResponse || bufferedCodec.codec.isMidRequest || isSendingInParts
    }

    /// Whether part of a request has arrived, and the previous request has been answered.
    var isReceiving: Bool {
        !isAwaitingResponse && bufferedCodec.codec.isMidRequest
    }

    /// The form of the request that was delivered last.
    var lastRequestForm: HTTPRequestForm {
        bufferedCodec.codec.lastRequestForm
    }

    /// Whether bytes wait to be sent.
    var hasUnsentOutput: Bool { bufferedCodec.unsentByteCount > 0 || isSendingInParts }

    /// The provider of socket options, while the connection is open.
    var socket: (any SocketOptionProvider)? {
        context?.channel as? any SocketOptionProvider
    }

    /// Whether to notify the delegate, once, when the connection is no longer busy or blocked.
    var reportsWhenReady = false

    /// Whether the peer reads its messages, so that more can be sent.
    private(set) var isWritable = false

    /// Answers the request that was delivered last.
    func respond(_ response: HTTPResponse, then sequel: ResponseCompletion = ResponseCompletion()) {
        plaintext.removeAll(keepingCapacity: true)
        response.append(to: &plaintext)
        finishResponse(sequel)
    }

    /// Answers with bytes that replace an encoded response.
    func respond(
        replacement: [UInt8],
        isCorrupt: Bool = false,
        then sequel: ResponseCompletion = ResponseCompletion()
    ) {
        plaintext = replacement
        finishResponse(sequel, isCorrupt: isCorrupt)
    }

    /// Continues without a response, for fault injection.
    ///
    /// The actions after the response are performed.
    func skipResponse(then sequel: ResponseCompletion = ResponseCompletion()) {
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

    /// Delivers requests that had to wait until a message was sent.
    func resumeDelivery() {
        deliverRequests()
        reportIfReady()
    }

    /// Continues after other connections have had their turn: sends the next part of a long message, and delivers the
    /// waiting requests.
    func resume() {
        sendWaitingPart()
        guard isYielding, context != nil else { return }
        isYielding = false
        resumeDelivery()
    }

    /// Sends an encoded message that is not a response.
    func send(_ message: [UInt8], isCorrupt: Bool = false) {
        plaintext.removeAll(keepingCapacity: true)
        plaintext.append(contentsOf: message)
        write(isCorrupt: isCorrupt, then: nil)
    }

    /// Delivers no more requests; the one that was delivered last is still answered.
    func stopReceiving() {
        isReceivingStopped = true
    }

    /// Closes the connection; encrypted bytes are still sent, but not the rest of a long message.
    func close(_ reason: CloseReason) {
        guard let context, closeReason == nil else { return }
        closeReason = reason
        sendOutput()
        sendAllPieces()
        cancelLongMessage()
        context.close(promise: nil)
    }

    /// Closes the connection when the peer has received everything, or after a timeout.
    ///
    /// No further request is handled. Returns a future for the end of the connection; `nil` if it has already ended.
    func closeWhenSent(within timeout: TimeAmount) -> EventLoopFuture<Void>? {
        guard let context, closeReason == nil else { return nil }
        isAwaitingResponse = true
        encodeLongMessage()
        sendOutput()
        sendAllPieces()
        let giveUp = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { self.close(.stopping) }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated()
            .whenComplete { _ in
                giveUp.cancel()
                self.close(.stopping)
            }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
        return context.channel.closeFuture
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        isWritable = false
    }

    func channelActive(context: ChannelHandlerContext) {
        // The channel caches the address; the context would make a system call.
        delegate.didOpen(self, peer: context.channel.remoteAddress)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard closeReason == nil else { return }
        if !isSecure {
            // Pairing requests take long, so the messages of other connections are sent first.
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
            close(.protocolViolation(fault))
            return
        }
        deliverRequests()
        countReceivedBytes()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        reportIfReady()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isReceivingStopped || isAwaitingResponse || isYielding || !isWritable || isSendingInParts {
            isReadDeferred = true
        } else {
            context.read()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable {
            deliverRequests()
            reportIfReady()
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(.network(error.networkReason))
    }

    func channelInactive(context: ChannelHandlerContext) {
        let reason = closeReason ?? (isWriting ? .network("lost while sending") : .peer)
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
        while !isReceivingStopped, !isAwaitingResponse, !isSendingInParts, closeReason == nil, context != nil {
            guard isWritable else {
                // The peer does not read its responses, so no further request is delivered until it does.
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

    /// Answers a chunked request before closing the connection; any other malformed request closes it without a
    /// response.
    ///
    /// HAP: §10, §0 (bodies)
    private func refuse(_ error: ProtocolError) {
        guard error == HTTPRequestDecoder.chunkedBodyError else {
            close(.protocolViolation(error))
            return
        }
        isAwaitingResponse = true
        plaintext.removeAll(keepingCapacity: true)
        HTTPResponse(.badRequest).append(to: &plaintext)
        write { handler in handler.close(.protocolViolation(error)) }
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

    /// Encrypts the content of `plaintext`, and sends it at the end of this turn of the event loop.
    ///
    /// `next` is called once, when the bytes were sent or cannot be sent.
    private func write(isCorrupt: Bool = false, then next: ((AccessoryChannelHandler) -> Void)?) {
        guard context != nil, closeReason == nil else {
            next?(self)
            return
        }
        turn.bytes += plaintext.count
        // Only injected faults send something before a long message is complete.
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

    /// Sends the encrypted bytes that are waiting.
    ///
    /// `next` is called once, when the bytes were sent or cannot be sent.
    func sendOutput(then next: ((AccessoryChannelHandler) -> Void)? = nil) {
        guard let context, let output = bufferedCodec.takeUnsent() else {
            next?(self)
            return
        }
        guard pieces == nil else { return sendInPieces(output, then: next) }
        // A write that fails reads what has arrived, which may be answered with another write.
        let wasWriting = isWriting
        isWriting = true
        write(output, to: context, then: next)
        isWriting = wasWriting
    }

    private func reportIfReady() {
        guard reportsWhenReady, !isBusy, isWritable else { return }
        reportsWhenReady = false
        delegate.didBecomeReady(self)
    }

    private func performDeferredRead() {
        guard isReadDeferred, !isReceivingStopped, !isAwaitingResponse, isWritable, !isSendingInParts, let context
        else { return }
        isReadDeferred = false
        context.read()
    }
}
