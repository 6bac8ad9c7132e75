import HAPCore
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import HAPServer

/// Everything that waits while a response is sent in pieces, on an event loop whose time the test controls.
@Suite struct SplitResponseTests {
    private static let pause = TimeAmount.milliseconds(2)

    @Test func requestsAndEventsWaitForASplitResponse() throws {
        let (channel, handler, delegate) = try EmbeddedChannel.serving()
        let loop = channel.embeddedEventLoop
        handler.pieceSize = 1
        let request = HTTPRequest(.get, path: "/nothing").message
        var response: [UInt8] = []
        HTTPResponse(.noContent).append(to: &response)

        try channel.writeInbound(ByteBuffer(bytes: request + request))
        var left: [UInt8] = []
        while let piece = try channel.readOutbound(as: ByteBuffer.self) {
            #expect(delegate.counts.requests == 1)
            #expect(handler.isBusy)
            #expect(piece.readableBytes == 1)
            left += piece.readableBytesView
            loop.advanceTime(by: Self.pause)
            guard left.count < response.count else { break }
        }
        #expect(left == response)
        #expect(delegate.counts.requests == 2)
        loop.advanceTime(by: Self.pause * response.count)
        #expect(!handler.isBusy)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
