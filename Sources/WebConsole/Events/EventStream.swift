internal import AsyncPrimitives
internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// The events that a client wants.
struct EventFilter: Sendable {
    /// The keys of the servers; empty for all.
    var servers: Set<String> = []
    /// The kinds of events; empty for all.
    var kinds: Set<String> = []

    func includes(_ event: EventResource) -> Bool {
        (servers.isEmpty || event.server.map(servers.contains) ?? true) && (kinds.isEmpty || kinds.contains(event.kind))
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

    /// Sends events until the client disconnects or stops reading, or until the task is cancelled.
    func run(_ writer: consuming ResponseWriter, _ head: WebResponse, on channel: any Channel) async throws {
        var head = head
        head.headerFields[.connection] = "close"
        // Otherwise the system would hold megabytes for a client that does not read.
        try? await channel.setOption(ChannelOptions.socketOption(.so_sndbuf), value: ConsoleLimits.sendBuffer).get()
        let journal = console.journal
        var position = start ?? journal.lastID
        var body = try await writer.writeHead(head)
        // The first bytes tell the client that the stream is open, and from which event on.
        try await body.write(ByteBuffer(string: ": events after \(position)\n\n"))
        let watch = WriteWatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await watch.closeWhenStuck(channel) }
            defer { group.cancelAll() }
            while !Task.isCancelled {
                let (events, missed) = journal.events(after: position, limit: Self.batch)
                var text = ""
                if missed > 0 { text += "event: gap\ndata: {\"missed\":\(missed)}\n\n" }
                for event in events {
                    let report = console.report(of: event)
                    guard filter.includes(report) else { continue }
                    let data = JSONWriter.bytes(of: EventResource.format.write(report))
                    text += "id: \(event.id)\nevent: \(report.kind)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
                }
                if let last = events.last { position = last.id }
                if events.isEmpty, await !hasEvents(after: position) { text = ": \n\n" }
                guard !text.isEmpty else { continue }
                watch.begin()
                try await body.write(ByteBuffer(string: text))
                watch.end()
            }
        }
        try await body.finish(nil)
    }

    /// Waits for events after a position, and returns `false` if there is none for a while.
    private func hasEvents(after position: UInt64) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await console.journal.waitForEvents(after: position)
                return true
            }
            group.addTask {
                try? await Task.sleep(for: ConsoleLimits.heartbeat)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }
}

/// A watch over the writes of a stream.
private final class WriteWatch: Sendable {
    private let begun = Mutex<ContinuousClock.Instant?>(nil)

    func begin() { begun.withLock { $0 = .now } }

    func end() { begun.withLock { $0 = nil } }

    /// Closes a channel when a write takes too long.
    func closeWhenStuck(_ channel: any Channel) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard let begun = begun.withLock({ $0 }) else { continue }
            if begun.duration(to: .now) > ConsoleLimits.writeTime {
                channel.close(mode: .all, promise: nil)
                return
            }
        }
    }
}
