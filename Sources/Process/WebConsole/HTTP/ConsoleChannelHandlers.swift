internal import NIOCore
internal import NIOHTTP1

/// Lets further connections wait while all places are taken by connections with access.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = Channel
    typealias InboundOut = Channel
    typealias OutboundIn = Never

    private let connections: ConsoleConnections
    /// The context while a connection may be waiting.
    private var waiting: ChannelHandlerContext?
    /// The check whether one without access has been there for too long.
    private var timer: Scheduled<Void>?

    init(to connections: ConsoleConnections) {
        self.connections = connections
    }

    func read(context: ChannelHandlerContext) {
        if connections.hasPlace {
            context.read()
        } else {
            waiting = context
            let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
            timer = context.eventLoop.scheduleTask(in: .seconds(1)) { gate.value.resume() }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        waiting = nil
    }

    /// Accepts the next connection if there is a place now.
    func resume() {
        guard let context = waiting else { return }
        timer?.cancel()
        waiting = nil
        read(context: context)
    }
}

/// Closes the connection of a client that does not keep it open, as every client of HTTP/1.0 expects.
///
/// The HTTP library does not pass on the version of a request, and understands only a field of exactly `close`.
final class KeepAliveHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version != .http1_1 || !head.isKeepAlive else {
            context.fireChannelRead(data)
            return
        }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

/// Writes everything before it half-closes a connection.
///
/// If the client has half-closed its side, NIO closes the connection as a whole, and drops what is not written.
final class FlushBeforeHalfClose: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        let written = context.eventLoop.makePromise(of: Void.self)
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in context.value.close(mode: .output, promise: promise) }
        context.value.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }
}
