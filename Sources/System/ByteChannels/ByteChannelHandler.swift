package import NIOCore
internal import NIOTLS

/// Passes the bytes of a channel to the task that asks for them.
///
/// Bytes are read from the network only then.
package final class ByteChannelHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    /// What has become of a connection that is open.
    package enum Event {
        /// The handshake of TLS is complete.
        case secured
        case receivedFirstBytes
        /// - Parameter hasReceived: Whether bytes were received.
        case ended(hasReceived: Bool)
    }

    private let didOpen: (any Channel, ByteChannelHandler) throws -> Void
    /// Called for each event.
    package var observer: ((Event) -> Void)?
    private var received: [UInt8] = []
    private var waiter: CheckedContinuation<[UInt8]?, Never>?
    private var hasReceived = false
    /// Whether no more bytes are received.
    private var hasEnded = false

    /// - Parameter didOpen: Called when the channel is open; an error closes it.
    package init(didOpen: @escaping (any Channel, ByteChannelHandler) throws -> Void) {
        self.didOpen = didOpen
    }

    /// Resumes a continuation with the next bytes, or with `nil` at the end; only one at a time waits.
    package func receive(_ continuation: CheckedContinuation<[UInt8]?, Never>, from channel: any Channel) {
        guard received.isEmpty, !hasEnded else {
            continuation.resume(returning: received.isEmpty ? nil : received)
            received = []
            return
        }
        waiter?.resume(returning: nil)
        waiter = continuation
        channel.read()
    }

    /// Ends the connection; with TLS, the confirmation of the peer is still read.
    package func close(_ channel: any Channel) {
        hasEnded = true
        received = []
        resumeWaiter()
        channel.close(promise: nil)
        // The confirmation of the peer.
        channel.read()
    }

    package func channelActive(context: ChannelHandlerContext) {
        do {
            try didOpen(context.channel, self)
        } catch {
            context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { observer?(.secured) }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        received += Array(unwrapInboundIn(data).readableBytesView)
        guard !hasReceived else { return }
        hasReceived = true
        observer?(.receivedFirstBytes)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if hasEnded {
            context.read()
        } else if !received.isEmpty {
            resumeWaiter()
        }
        context.fireChannelReadComplete()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        // What is there can still be received.
        hasEnded = true
        resumeWaiter()
        observer?(.ended(hasReceived: hasReceived))
        observer = nil
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        // A connection that was never open has no other end.
        hasEnded = true
        resumeWaiter()
        observer = nil
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func resumeWaiter() {
        guard let waiter else { return }
        self.waiter = nil
        waiter.resume(returning: received.isEmpty ? nil : received)
        received = []
    }
}
