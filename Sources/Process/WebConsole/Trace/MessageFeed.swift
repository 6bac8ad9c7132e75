internal import HAPServer
internal import Hosting
internal import Synchronization

/// The decrypted messages of servers for clients of the API, while some client reads them.
///
/// Lines are composed on a queue, so that a server only hands over the message. A client that reads too slowly misses
/// messages, and learns how many.
package final class MessageFeed: Sendable {
    /// The number of bytes beyond which a body is not shown.
    private static let longestBody = 16 << 10
    /// The maximum number of messages that wait for one client.
    private static let capacity = 50

    /// The messages that were not yet sent to the readers.
    ///
    /// The limit fits a burst of one server.
    private let queue = MessageQueue("hap.messages", capacity: 1_000, maximumSize: 4 << 20)
    /// The switch of the servers: on while some client reads, or always.
    let isWanted: TrafficSwitch
    private let isAlwaysOn: Bool
    private let readers = Mutex<[Int: Reader]>([:])
    private let nextID = Atomic(0)

    private struct Reader {
        let continuation: AsyncStream<Message>.Continuation
        var missed = 0
    }

    /// A message as a line of JSON.
    struct Message: Sendable {
        /// The line, or `nil` to show a client that the stream is alive.
        let line: String?
        /// The number of messages before this one that were dropped.
        let missed: Int
    }

    init(_ isWanted: TrafficSwitch, isAlwaysOn: Bool) {
        self.isWanted = isWanted
        self.isAlwaysOn = isAlwaysOn
    }

    /// Whether some client reads the messages.
    var isRead: Bool { readers.withLock { !$0.isEmpty } }

    /// Returns the messages from now on, until the task of the reader ends, and a continuation for the reader's own.
    func messages() -> (stream: AsyncStream<Message>, continuation: AsyncStream<Message>.Continuation) {
        let id = nextID.add(1, ordering: .relaxed).newValue
        let (stream, continuation) = AsyncStream<Message>
            .makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
        readers.withLock { readers in
            readers[id] = Reader(continuation: continuation)
            isWanted.set(true)
        }
        continuation.onTermination = { [self] _ in
            readers.withLock { readers in
                readers[id] = nil
                isWanted.set(isAlwaysOn || !readers.isEmpty)
            }
        }
        return (stream, continuation)
    }

    /// Sends a message to all readers.
    func publish(size: Int, _ compose: @escaping @Sendable () -> TraceRecord) {
        queue.enqueue(size: size) { [self] missed in
            var record = compose()
            if size > Self.longestBody {
                record.body = nil
                record.hiddenBytes = size
            }
            let line = String(record.line.dropLast())
            readers.withLock { readers in
                for id in readers.keys {
                    guard let reader = readers[id] else { continue }
                    let count = reader.missed + missed
                    if case .dropped = reader.continuation.yield(Message(line: line, missed: count)) {
                        readers[id]?.missed = count + 1
                    } else {
                        readers[id]?.missed = 0
                    }
                }
            }
        }
    }

    /// Waits until everything that was handed over has been sent to the readers.
    func flush() {
        queue.flush()
    }
}
