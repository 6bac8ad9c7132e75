internal import AccessoryModel
package import HAPCore
package import HAPServer
internal import Synchronization

/// Passes the decrypted messages of servers to a trace file, and to clients of the API that read them.
package final class TrafficRecorder: Sendable {
    private let file: TraceWriter?
    /// The messages for the clients of the API.
    package let feed: MessageFeed
    /// The characteristics of each server whose values are shown: those that are known and do not consist of bytes.
    private let shown = Mutex<[String: Set<CharacteristicID>]>([:])

    /// - Parameter file: The file to which all messages are written, or `nil` for the API alone.
    package init(_ file: TraceWriter? = nil) {
        self.file = file
        feed = MessageFeed(TrafficSwitch(file != nil), isAlwaysOn: file != nil)
    }

    /// Returns an observer for a server.
    ///
    /// - Parameter key: The key of the server.
    package func observer(of key: String) -> any TrafficObserver {
        ServerTraffic(recorder: self, server: key)
    }

    /// Hides the values of a server until its accessories are recorded again: they are about to change, or the server
    /// has ended.
    package func forgetAccessories(of key: String) {
        shown.withLock { $0[key] = nil }
    }

    /// Records the accessories of a server, so that their values are shown and a replay finds the characteristics by
    /// their types.
    package func recordAccessories(of key: String, _ database: AttributeDatabase) {
        let shown = Set(
            database.characteristics.filter { ![.tlv8, .data].contains($0.metadata.format) }.map(\.id)
        )
        self.shown.withLock { $0[key] = shown }
        guard let file else { return }
        var database = database
        _ = database.renderAccessories(isAdmin: true, upTo: .max)
        let body = database.accessoriesBody(isAdmin: true)
        file.enqueue(size: body.count) {
            var record = TraceRecord(.accessories)
            record.server = key
            record.setBody(body, isSecret: false, showing: shown)
            return record
        }
    }

    fileprivate func record(
        size: Int,
        _ compose: @escaping @Sendable (Set<CharacteristicID>) -> TraceRecord,
        of key: String
    ) {
        let shown = shown.withLock { $0[key] ?? [] }
        file?.enqueue(size: size) { compose(shown) }
        if feed.isRead { feed.publish(size: size) { compose(shown) } }
    }
}

/// The messages of one server.
private final class ServerTraffic: TrafficObserver {
    private let recorder: TrafficRecorder
    private let server: String
    /// The path of the request of each connection that is being answered.
    private let paths = Mutex<[ConnectionID: String]>([:])

    init(recorder: TrafficRecorder, server: String) {
        self.recorder = recorder
        self.server = server
    }

    var isWanted: TrafficSwitch { recorder.feed.isWanted }

    func observe(_ message: TrafficMessage, on connection: ConnectionID, of controller: ControllerIdentifier?) {
        let time = EventTime.now
        // Messages of pairing contain proofs and keys. A response is secret if its request is, or is not known.
        let isSecret = paths.withLock { paths in
            switch message {
            case .request(let request): paths[connection] = request.path
            case .event: return false
            case .closed: paths[connection] = nil
            case .response: break
            }
            return paths[connection]?.hasPrefix("/pair") ?? true
        }
        recorder.record(
            size: message.size,
            { [server] shown in
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
            },
            of: server
        )
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
