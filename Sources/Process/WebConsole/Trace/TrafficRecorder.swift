internal import AccessoryModel
internal import HAPCore
internal import HAPServer
package import Hosting
internal import Resources
internal import Synchronization

/// Passes the decrypted messages of servers to a trace file, and to clients of the API that read them.
package final class TrafficRecorder: Sendable {
    private let file: TraceWriter?
    /// The messages for the clients of the API.
    package let feed: MessageFeed
    /// - Parameter file: The file to which all messages are written, or `nil` for the API alone.
    package init(_ file: TraceWriter? = nil) {
        self.file = file
        feed = MessageFeed(TrafficSwitch(file != nil), isAlwaysOn: file != nil)
    }

    /// Records the accessories of a server, so that a replay finds the characteristics by their types.
    ///
    /// - Parameter shown: The characteristics whose values are shown.
    fileprivate func record(_ database: AttributeDatabase, of key: String, showing shown: Set<CharacteristicID>) {
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

    fileprivate func record(size: Int, _ compose: @escaping @Sendable () -> TraceRecord) {
        file?.enqueue(size: size, compose)
        if feed.isRead { feed.publish(size: size, compose) }
    }
}

extension TrafficRecorder: HostObserver {
    package func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? {
        traffic(of: server.key)
    }

    /// Returns an observer of the messages of a server.
    func traffic(of key: String) -> ServerTraffic {
        ServerTraffic(recorder: self, server: key)
    }
}

/// The messages of one server.
final class ServerTraffic: TrafficObserver, DriverTrafficObserver, HostedServerObserver {
    private let recorder: TrafficRecorder
    private let server: String
    /// The characteristics whose values are shown: those that are known and do not consist of bytes.
    private let shown = Mutex<Set<CharacteristicID>>([])
    /// The path of the request of each connection that is being answered.
    private let paths = Mutex<[ConnectionID: String]>([:])

    fileprivate init(recorder: TrafficRecorder, server: String) {
        self.recorder = recorder
        self.server = server
    }

    var isWanted: TrafficSwitch { recorder.feed.isWanted }

    var events: (any ServerObserver)? { nil }
    var traffic: (any TrafficObserver)? { self }
    var driverTraffic: (any DriverTrafficObserver)? { self }

    func observe(_ change: HostedServerChange) async {
        switch change {
        // A characteristic whose value was shown can become one with a secret value.
        case .replacing, .removed: setAccessories(nil)
        case .started(let server), .replaced(let server): setAccessories(await server.server.attributes)
        case .stopped: break
        }
    }

    /// Sets the accessories whose values are shown from now on; `nil` shows none.
    func setAccessories(_ database: AttributeDatabase?) {
        let known = database?.characteristics.filter { ![.tlv8, .data].contains($0.metadata.format) }.map(\.id) ?? []
        shown.withLock { $0 = Set(known) }
        if let database { recorder.record(database, of: server, showing: Set(known)) }
    }

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
        let shown = shown.withLock { $0 }
        recorder.record(
            size: message.size,
            { [server] in
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
        )
    }
}

extension ServerTraffic {
    func observe(_ message: DriverMessage, of accessory: String, size: Int) {
        let time = EventTime.now
        recorder.record(size: size) { [server] in
            var record = TraceRecord(message.direction == .received ? .received : .sent)
            record.time = time
            record.server = server
            record.accessory = accessory
            record.peer = message.peer
            (record.source, record.destination) = (message.source, message.destination)
            record.path = message.path
            switch message.body {
            case .json(let value): record.body = value
            case .text(let text): record.body = .string(text)
            case .hidden(let count): record.hiddenBytes = count
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
