internal import HTTPTypes
internal import Hosting
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// A stream of the decrypted messages of all servers to one client, as server-sent events.
struct MessageStream: Sendable {
    private let feed: MessageFeed

    init(of feed: MessageFeed) {
        self.feed = feed
    }

    /// Sends messages until the client disconnects, stops reading or loses its access, or until the task is cancelled.
    func run(_ writer: consuming ResponseWriter, _ head: WebResponse, on channel: any Channel, _ watch: StreamWatch)
        async throws
    {
        var head = head
        head.headerFields[.connection] = "close"
        try? await channel.setOption(ChannelOptions.socketOption(.so_sndbuf), value: ConsoleLimits.sendBuffer).get()
        let (messages, continuation) = feed.messages()
        var body = try await writer.writeHead(head)
        try await body.write(ByteBuffer(string: ": messages\n\n"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await watch.run(channel) }
            group.addTask {
                // The end of a connection is noticed by its next write.
                while (try? await Task.sleep(for: ConsoleLimits.heartbeat)) != nil {
                    continuation.yield(MessageFeed.Message(line: nil, missed: 0))
                }
            }
            channel.closeFuture.whenComplete { _ in continuation.finish() }
            defer { group.cancelAll() }
            for await message in messages {
                guard channel.isActive else { break }
                var text = message.line == nil ? ":\n\n" : ""
                if message.missed > 0 { text = EventGap(missed: UInt64(message.missed)).streamText }
                if let line = message.line { text += "event: message\ndata: \(line)\n\n" }
                watch.begin()
                try await body.write(ByteBuffer(string: text))
                watch.end()
            }
        }
        try await body.finish(nil)
    }
}
