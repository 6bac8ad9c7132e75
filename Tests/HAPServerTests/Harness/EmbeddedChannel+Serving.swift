import HAPCore
import NIOCore
import NIOEmbedded

@testable import HAPServer

extension EmbeddedChannel {
    /// Returns a served connection on an event loop that the test advances, its handler, and a delegate that counts its
    /// requests.
    static func serving(
        unsent: ByteBudget = ByteBudget(limit: .max),
        response: HTTPResponse = HTTPResponse(.noContent)
    ) throws -> (EmbeddedChannel, AccessoryChannelHandler, CountingDelegate) {
        let delegate = CountingDelegate(response: response)
        let loop = EmbeddedEventLoop()
        let handler = AccessoryChannelHandler(
            delegate: delegate,
            budgets: (clear: ByteBudget(limit: .max), session: ByteBudget(limit: .max), unsent: unsent),
            batch: SendBatch(eventLoop: loop)
        )
        let channel = EmbeddedChannel(handler: handler, loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return (channel, handler, delegate)
    }
}
