import HAPCore
import HAPTransport
import NIOCore
import NIOEmbedded
import Testing

@Suite("A connection to an accessory")
struct ControllerChannelHandlerTests {
    /// What became of requests, in order.
    private final class Log {
        var answers: [String] = []
        var ends: [ControllerChannelEnd] = []

        func note(_ name: String) -> (ControllerChannelHandler.Answer) -> Void {
            { answer in
                switch answer {
                case .success(let message): self.answers.append("\(name): \(message.status)")
                case .failure(let end): self.answers.append("\(name): \(end)")
                }
            }
        }
    }

    private let log = Log()
    private let handler = ControllerChannelHandler(host: "lamp", sessionLimits: .responses)

    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        handler.onEnd = { [log] in log.ends.append($0) }
        return channel
    }

    private func ask(_ number: UInt64, within patience: Duration = .seconds(10)) {
        let request = HTTPRequest(.post, .pairVerify, body: [1])
        handler.request(request, as: .init(number), within: patience, completion: log.note("\(number)"))
    }

    private static let ok = ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n")

    @Test("ends when the answer to the present request is overdue, with every request that waits")
    func silence() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        ask(1)
        ask(2)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        try channel.writeInbound(Self.ok)
        #expect(log.answers == ["1: 200"])
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(log.ends.isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(log.answers == ["1: 200", "2: silence"])
        #expect(log.ends == [.silence])
        ask(3)
        #expect(log.answers.last == "3: silence")
    }

    @Test("heeds the shorter time of a later request")
    func shorterTime() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        ask(1, within: .seconds(30))
        try channel.writeInbound(Self.ok)
        ask(2, within: .seconds(1))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(log.answers == ["1: 200", "2: silence"])
    }

    @Test("stands for as long as nothing is asked")
    func idle() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        ask(1)
        try channel.writeInbound(Self.ok)
        channel.embeddedEventLoop.advanceTime(by: .hours(100))
        #expect(log.ends.isEmpty)
        ask(2)
        try channel.writeInbound(Self.ok)
        #expect(log.answers == ["1: 200", "2: 200"])
        _ = try channel.finish()
        #expect(log.ends == [.peer])
    }

    @Test("passes over the answer to a request that was given up")
    func cancelled() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        ask(1)
        ask(2)
        handler.cancel(.init(1))
        #expect(log.answers == ["1: cancelled"])
        try channel.writeInbound(Self.ok)
        try channel.writeInbound(Self.ok)
        #expect(log.answers == ["1: cancelled", "2: 200"])
    }

    @Test("does not take what came unasked in clear for an answer")
    func unaskedInClear() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.writeInbound(Self.ok)
        ask(1)
        #expect(log.ends == [.fault(RequestQueue.unsolicited)])
    }

    @Test("keeps no more than 64 KiB that nobody asked for in clear")
    func unreadInClear() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.writeInbound(ByteBuffer(repeating: 0x20, count: 65_536))
        #expect(log.ends.isEmpty)
        try channel.writeInbound(ByteBuffer(repeating: 0x20, count: 1))
        #expect(log.ends == [.fault(ControllerConnectionCodec.overfull)])
    }

    @Test("ends once, with the first reason")
    func endsOnce() throws {
        let channel = try channel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        ask(1)
        try channel.writeInbound(ByteBuffer(string: "nonsense\r\n\r\n"))
        handler.close()
        _ = try? channel.finish()
        #expect(log.ends.count == 1)
        #expect(log.answers.count == 1)
        guard case .fault = log.ends.first else {
            Issue.record("ended with \(log.ends)")
            return
        }
    }
}
