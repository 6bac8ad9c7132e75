import HAPCore
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import HAPTransport

/// What waits while an answer leaves piece by piece, in the time of an event loop that a test moves on.
@Suite struct PieceTests {
    private static let pause = TimeAmount.milliseconds(2)

    @Test func requestsAndEventsWaitWhileAnAnswerLeavesInPieces() throws {
        let (channel, handler, delegate) = try EmbeddedChannel.serving()
        let loop = channel.embeddedEventLoop
        handler.pieceSize = 1
        let request = HTTPRequest(.get, path: "/nothing").message
        var answer: [UInt8] = []
        HTTPResponse(.noContent).append(to: &answer)

        try channel.writeInbound(ByteBuffer(bytes: request + request))
        var left: [UInt8] = []
        while let piece = try channel.readOutbound(as: ByteBuffer.self) {
            #expect(delegate.counts.requests == 1)
            #expect(handler.isBusy)
            #expect(piece.readableBytes == 1)
            left += piece.readableBytesView
            loop.advanceTime(by: Self.pause)
            guard left.count < answer.count else { break }
        }
        #expect(left == answer)
        #expect(delegate.counts.requests == 2)
        loop.advanceTime(by: Self.pause * answer.count)
        #expect(!handler.isBusy)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
