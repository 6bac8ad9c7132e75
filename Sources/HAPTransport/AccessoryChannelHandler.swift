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

    /// What an idle connection may keep for its next message, in bytes.
    private static let keptCapacity = 16 << 10

    private let delegate: any AccessoryChannelDelegate
    private var codec = AccessoryConnectionCodec()
    private var context: ChannelHandlerContext?
    private var output = ByteBuffer()
    private var plaintext: [UInt8] = []
    private var closeReason: ChannelCloseReason?
    private var isAwaitingResponse = false
    private var isDelivering = false
    private var isReading = false
    private var isReadHeld = false
    private var needsFlush = false

    package init(delegate: any AccessoryChannelDelegate) {
        self.delegate = delegate
    }

    /// Whether a request is arriving or being answered, so that an event has to wait.
    ///
    /// HAP: §14
    package var isBusy: Bool {
        isAwaitingResponse || codec.isMidRequest
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
            codec.secure(with: keys)
        }
        sequel.whenWritten?()
        if sequel.closesConnection {
            close(.pairingRemoved)
            return
        }
        isAwaitingResponse = false
        deliverRequests()
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

    // MARK: Channel events

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    package func channelActive(context: ChannelHandlerContext) {
        delegate.opened(self, peer: context.remoteAddress.map(String.init(describing:)) ?? "unknown")
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
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        flushIfNeeded(context)
        reportIfFree()
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        if isAwaitingResponse || !context.channel.isWritable {
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
        delegate.closed(self, reason)
        context.fireChannelInactive()
    }

    // MARK: Requests and messages

    private func deliverRequests() {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !isAwaitingResponse, closeReason == nil, let context {
            guard context.channel.isWritable else {
                // The peer does not read its answers: it gets no more of them until it does.
                flushIfNeeded(context)
                guard context.channel.isWritable else { return }
                continue
            }
            do throws(ProtocolError) {
                guard let request = try codec.nextRequest() else { break }
                isAwaitingResponse = true
                delegate.received(request, on: self)
            } catch {
                refuse(error)
            }
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
            codec.secure(with: keys)
        }
        deliverRequests()
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
