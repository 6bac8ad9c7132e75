import Glibc
import HAPCore
import NIOCore
import NIOEmbedded
import Testing

@testable import HAPController

@Suite("A connection to an accessory")
struct ControllerChannelHandlerTests {
    /// The results of the requests, in the order in which they ended.
    private final class Log {
        var results: [String] = []
        var closeReasons: [ControllerChannelError] = []

        func record(_ name: String) -> (ControllerChannelHandler.ResponseResult) -> Void {
            { response in
                switch response {
                case .success(let message): self.results.append("\(name): \(message.status)")
                case .failure(let end): self.results.append("\(name): \(end)")
                }
            }
        }
    }

    private let log = Log()
    private let handler = ControllerChannelHandler(host: "lamp", sessionLimits: .responses)

    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        handler.onClose = { [log] in log.closeReasons.append($0) }
        return channel
    }

    private func sendRequest(_ number: UInt64, within timeout: Duration = .seconds(10)) {
        let request = HTTPRequest(.post, .pairVerify, body: [1])
        handler.send(request, as: .init(number), within: timeout, completion: log.record("\(number)"))
    }

    private static let ok = ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n")

    @Test("An overdue response closes the connection and fails all waiting requests")
    func overdueResponseClosesTheConnectionAndFailsAllRequests() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        sendRequest(1)
        sendRequest(2)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        try channel.writeInbound(Self.ok)
        #expect(log.results == ["1: 200"])
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(log.closeReasons.isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(log.results == ["1: 200", "2: timeout"])
        #expect(log.closeReasons == [.timeout])
        sendRequest(3)
        #expect(log.results.last == "3: timeout")
    }

    @Test("The shorter timeout of a later request applies")
    func shorterTimeoutOfALaterRequestApplies() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        sendRequest(1, within: .seconds(30))
        try channel.writeInbound(Self.ok)
        sendRequest(2, within: .seconds(1))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(log.results == ["1: 200", "2: timeout"])
    }

    @Test("An idle connection stays open")
    func idleConnectionStaysOpen() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        sendRequest(1)
        try channel.writeInbound(Self.ok)
        channel.embeddedEventLoop.advanceTime(by: .hours(100))
        #expect(log.closeReasons.isEmpty)
        sendRequest(2)
        try channel.writeInbound(Self.ok)
        #expect(log.results == ["1: 200", "2: 200"])
        _ = try channel.finish()
        #expect(log.closeReasons == [.peer])
    }

    @Test("The response to a cancelled request is ignored")
    func responseToACancelledRequestIsIgnored() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        sendRequest(1)
        sendRequest(2)
        handler.cancel(.init(1))
        #expect(log.results == ["1: cancelled"])
        try channel.writeInbound(Self.ok)
        try channel.writeInbound(Self.ok)
        #expect(log.results == ["1: cancelled", "2: 200"])
    }

    @Test("Unsolicited plaintext is not taken for a response")
    func unsolicitedPlaintextIsNotTakenAsResponse() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.writeInbound(Self.ok)
        sendRequest(1)
        #expect(log.closeReasons == [.protocolError(RequestQueue.unsolicitedResponse)])
    }

    @Test("Unsolicited plaintext is buffered only up to 64 KiB")
    func unreadPlaintextIsLimitedTo64KiB() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.writeInbound(ByteBuffer(repeating: 0x20, count: 65_536))
        #expect(log.closeReasons.isEmpty)
        try channel.writeInbound(ByteBuffer(repeating: 0x20, count: 1))
        #expect(log.closeReasons == [.protocolError(ControllerConnectionCodec.tooManyUnreadBytes)])
    }

    @Test("A network error ends the connection with the text of the system")
    func networkErrorHasTheTextOfTheSystem() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)"))
        #expect(log.closeReasons == [.network("Connection reset by peer")])
    }

    @Test("A connection ends once, with the first reason")
    func connectionClosesOnceWithTheFirstReason() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        sendRequest(1)
        try channel.writeInbound(ByteBuffer(string: "nonsense\r\n\r\n"))
        handler.close()
        _ = try? channel.finish()
        #expect(log.closeReasons.count == 1)
        #expect(log.results.count == 1)
        guard case .protocolError = log.closeReasons.first else {
            Issue.record("ended with \(log.closeReasons)")
            return
        }
    }
}
