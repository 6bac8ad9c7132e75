internal import AsyncPrimitives
internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import Hosting
internal import HummingbirdCore
internal import NIOCore
internal import Resources
internal import Synchronization

/// The events that a client wants.
struct EventFilter: Sendable {
    /// The keys of the servers; empty for all.
    var servers: Set<String> = []
    /// The kinds of events; empty for all.
    var kinds: Set<String> = []

    /// Returns whether an event is wanted, before it is described.
    func includes(_ event: ConsoleEvent, of console: Console) -> Bool {
        guard kinds.isEmpty || kinds.contains(event.content.kind) else { return false }
        guard !servers.isEmpty else { return true }
        switch event.content {
        case .server(let index, _):
            return console.journal.server(index).map { servers.contains($0.identity.key) } ?? false
        case .note(_, let server, _, _): return server.map { servers.contains($0) } ?? true
        }
    }
}

/// A stream of server-sent events to one client.
///
/// The stream has a position in the journal and no buffer of its own. While the client does not read, a write waits; a
/// client that does not read for a while is disconnected.
///
/// [Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html)
struct EventStream: Sendable {
    /// The number of events that are written at once.
    private static let batch = 256

    private let console: Console
    private let start: UInt64?
    private let filter: EventFilter

    /// Creates a stream.
    ///
    /// - Parameter position: The id of the last event that the client has seen, or `nil` for new events only.
    init(of console: Console, after position: UInt64?, _ filter: EventFilter) {
        self.console = console
        start = position
        self.filter = filter
    }

    /// Sends events until the client disconnects, stops reading or loses its access, or until the task is cancelled.
    func run(_ writer: consuming ResponseWriter, _ head: WebResponse, on channel: any Channel, _ watch: StreamWatch)
        async throws
    {
        var head = head
        head.headerFields[.connection] = "close"
        // Otherwise the system would hold megabytes for a client that does not read.
        try? await channel.setOption(ChannelOptions.socketOption(.so_sndbuf), value: ConsoleLimits.sendBuffer).get()
        let journal = console.journal
        var position = start ?? journal.lastID
        var body = try await writer.writeHead(head)
        // The first bytes tell the client that the stream is open, and from which event on.
        var text = ": events after \(position)\n\n"
        if position > journal.lastID {
            text += EventGap(missed: 1).streamText
            position = 0
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await watch.run(channel) }
            defer { group.cancelAll() }
            var lastWrite = ContinuousClock.now
            while !Task.isCancelled, channel.isActive {
                if text.isEmpty, lastWrite.duration(to: .now) >= ConsoleLimits.heartbeat {
                    // Without an event, this only moves the client's position.
                    text = "id: \(position)\n\n"
                }
                if !text.isEmpty {
                    watch.begin()
                    try await body.write(ByteBuffer(string: text))
                    watch.end()
                    lastWrite = .now
                    text = ""
                }
                let (events, missed) = journal.events(after: position, limit: Self.batch)
                if missed > 0 { text += EventGap(missed: missed).streamText }
                for event in events where filter.includes(event, of: console) {
                    let data = JSONWriter.bytes(of: EventResource.format.write(console.report(of: event)))
                    text += "id: \(event.id)\nevent: \(event.content.kind)\n"
                    text += "data: \(String(decoding: data, as: UTF8.self))\n\n"
                }
                if let last = events.last { position = last.id }
                if events.isEmpty { await waitForEvents(after: position) }
            }
        }
        try await body.finish(nil)
    }

    /// Returns the message about events that were dropped before they could be sent.

    /// Waits for events after a position, at most a second, so that the end of a connection is noticed soon.
    private func waitForEvents(after position: UInt64) async {
        _ = await withTimeLimit(.seconds(1)) { await console.journal.waitForEvents(after: position) }
    }
}
