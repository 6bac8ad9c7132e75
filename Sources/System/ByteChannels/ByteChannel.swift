package import NIOCore

/// A connection whose bytes are read from the network only when a task asks for them.
package struct ByteChannel: Sendable {
    package let channel: any Channel
    private let handler: NIOLoopBound<ByteChannelHandler>

    /// Creates it on the event loop of the channel, which is open.
    package init(_ channel: any Channel, _ handler: ByteChannelHandler) {
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    /// Returns the next bytes, or `nil` at the end; called by one task at a time.
    ///
    /// Cancellation ends the connection.
    package func receive() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                channel.eventLoop.execute { [handler, channel] in handler.value.receive(continuation, from: channel) }
            }
        } onCancel: {
            close()
        }
    }

    /// Ends the connection; with TLS, a peer that does not confirm the end is disconnected after a while.
    package func close() {
        channel.eventLoop.execute { [handler, channel] in handler.value.close(channel) }
    }
}
