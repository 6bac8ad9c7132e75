package import AccessoryModel
internal import Dispatch
internal import Glibc
internal import HAPCore
package import HAPServer
internal import Storage
internal import Synchronization

/// A file to which the decrypted messages of servers are written, one JSON object in each line.
///
/// Lines are composed and written on a queue, so that a server only hands over the message. If the disk is too slow,
/// messages are left out, and a record says how many.
package final class TraceWriter: Sendable {
    /// The maximum number of messages that wait to be written.
    private static let capacity = 10_000
    /// The maximum number of bytes of their bodies.
    private static let maximumSize = 16 << 20

    private let descriptor: Int32
    private let onFailure: @Sendable (Failure) -> Void
    private let queue = DispatchQueue(label: "hap.trace")
    private let state = Mutex(State())

    private struct State {
        var waiting = 0
        var waitingSize = 0
        var dropped = 0
        var hasFailed = false
        /// The characteristics of each server whose values are shown: those that are known and are not TLVs.
        var shown: [String: Set<CharacteristicID>] = [:]
    }

    /// An error that prevents a trace.
    package struct Failure: Error {
        package let code: Int32
    }

    /// Creates the file, or empties it.
    ///
    /// Only its owner can read it.
    ///
    /// - Parameter onFailure: Is called once if something cannot be written; the trace ends there.
    /// - Throws: ``Failure`` with the reason of the system; also if the path is a link or not a file.
    package init(path: String, onFailure: @escaping @Sendable (Failure) -> Void) throws(Failure) {
        self.onFailure = onFailure
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, fchmod(descriptor, 0o600) == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(code: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure(code: EINVAL)
        }
        var first = TraceRecord(.trace)
        first.time = .now
        write(first)
    }

    deinit {
        close(descriptor)
    }

    /// Returns an observer for a server.
    ///
    /// - Parameter key: The key of the server.
    package func observer(of key: String) -> any TrafficObserver {
        ServerTrace(writer: self, server: key)
    }

    /// Writes the accessories of a server, so that a replay finds the characteristics by their types.
    package func writeAccessories(of key: String, _ database: AttributeDatabase) {
        let shown = Set(database.characteristics.filter { $0.metadata.format != .tlv8 }.map(\.id))
        state.withLock { $0.shown[key] = shown }
        var database = database
        _ = database.renderAccessories(isAdmin: true, upTo: .max)
        let body = database.accessoriesBody(isAdmin: true)
        enqueue(size: body.count) {
            var record = TraceRecord(.accessories)
            record.server = key
            record.setBody(body, isSecret: false, showing: shown)
            return record
        }
    }

    /// Waits until everything that was handed over is written.
    package func flush() {
        queue.sync {}
    }

    fileprivate func shownCharacteristics(of key: String) -> Set<CharacteristicID> {
        state.withLock { $0.shown[key] ?? [] }
    }

    fileprivate func enqueue(size: Int, _ record: @escaping @Sendable () -> TraceRecord) {
        let isAccepted = state.withLock { state in
            guard state.waiting < Self.capacity, state.waitingSize < Self.maximumSize, !state.hasFailed else {
                state.dropped += 1
                return false
            }
            state.waiting += 1
            state.waitingSize += size
            return true
        }
        guard isAccepted else { return }
        queue.async { [self] in
            write(record())
            let dropped = state.withLock { state in
                state.waiting -= 1
                state.waitingSize -= size
                defer { state.dropped = 0 }
                return state.dropped
            }
            if dropped > 0 {
                var note = TraceRecord(.dropped)
                note.time = .now
                note.hiddenBytes = dropped
                write(note)
            }
        }
    }

    private func write(_ record: TraceRecord) {
        guard !AtomicFile.writeAll(Array(record.line.utf8), to: descriptor) else { return }
        let code = errno
        let isFirst = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isFirst { onFailure(Failure(code: code)) }
    }
}

/// The trace of one server.
private final class ServerTrace: TrafficObserver {
    private let writer: TraceWriter
    private let server: String
    /// The path of the request of each connection that is being answered.
    private let paths = Mutex<[ConnectionID: String]>([:])

    init(writer: TraceWriter, server: String) {
        self.writer = writer
        self.server = server
    }

    func observe(_ message: TrafficMessage, on connection: ConnectionID, of controller: ControllerIdentifier?) {
        let time = EventTime.now
        let path = paths.withLock { paths in
            switch message {
            case .request(let request): paths[connection] = request.path
            case .closed: paths[connection] = nil
            case .response, .event: break
            }
            return paths[connection] ?? ""
        }
        // Messages of pairing contain proofs and keys.
        let isSecret = path.hasPrefix("/pair")
        writer.enqueue(size: message.size) { [server, writer] in
            let shown = writer.shownCharacteristics(of: server)
            var record = TraceRecord(message.kind)
            record.time = time
            record.server = server
            record.connection = connection.rawValue
            record.controller = controller?.description
            switch message {
            case .request(let request):
                record.method = request.method.name
                record.path = request.path
                record.query = request.query.isEmpty ? nil : String(decoding: request.query, as: UTF8.self)
                record.setBody(request.body, isSecret: isSecret, showing: shown)
            case .response(let response):
                record.status = Int(response.status.rawValue)
                record.setBody(response.body, isSecret: isSecret, showing: shown)
            case .event(let body): record.setBody(body, isSecret: false, showing: shown)
            case .closed: break
            }
            return record
        }
    }
}

extension TrafficMessage {
    /// The number of bytes of the body.
    fileprivate var size: Int {
        switch self {
        case .request(let request): request.body.count
        case .response(let response): response.body.count
        case .event(let body): body.count
        case .closed: 0
        }
    }

    fileprivate var kind: TraceRecord.Kind {
        switch self {
        case .request: .request
        case .response: .response
        case .event: .event
        case .closed: .closed
        }
    }
}
