import NIOCore

/// A replacement for the socket that accepts written bytes, and records them if requested.
final class BenchmarkNetwork: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var recordsSentBytes = true
    private var sent: [UInt8] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if recordsSentBytes {
            sent.append(contentsOf: unwrapOutboundIn(data).readableBytesView)
        }
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) {}

    func read(context: ChannelHandlerContext) {}

    /// Returns the bytes that were written since the last call.
    func takeSent() -> [UInt8] {
        defer { sent = [] }
        return sent
    }
}
