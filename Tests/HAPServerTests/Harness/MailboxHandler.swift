import Glibc
import NIOCore

/// Puts what a connection receives into its mailbox.
final class MailboxHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let mailbox: Mailbox

    init(mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        mailbox.put(Array(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        mailbox.close()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if (error as? IOError)?.errnoCode == ECONNRESET {
            mailbox.reset()
        }
        context.close(promise: nil)
    }
}
