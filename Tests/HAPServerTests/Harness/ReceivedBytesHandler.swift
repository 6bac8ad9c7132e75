import Glibc
import NIOCore

/// A handler that appends the bytes that a connection receives to its ``ReceivedBytes``.
final class ReceivedBytesHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: ReceivedBytes

    init(received: ReceivedBytes) {
        self.received = received
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(Array(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        received.close()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if (error as? IOError)?.errnoCode == ECONNRESET {
            received.reset()
        }
        context.close(promise: nil)
    }
}
