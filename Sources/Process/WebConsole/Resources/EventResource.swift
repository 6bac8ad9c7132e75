internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import Hosting
internal import Resources
internal import Simulation

/// An event as the API shows it.
struct EventResource: Sendable {
    var id: UInt64
    var time: EventTime
    var kind: String
    var server: String?
    var connection: UInt64?
    var peer: String?
    var controller: String?
    var characteristic: String?
    var accessory: UInt64?
    var name: String?
    var value: CharacteristicValue??
    var valueText: String?
    var origin: String?
    var method: String?
    var path: String?
    var status: Int?
    var hapStatus: Int?
    var count: Int?
    var message: String?

    static let format = Format<EventResource>
        .response(
            "Event",
            [
                .written("id", \.id, .id, "The id of the event; ids increase, also over a restart of the process."),
                .written("time", \.time, .time, "The time of the event."),
                .written("kind", \.kind, .string, "The kind of event, such as value, request or fault-applied."),
                .written("server", \.server, .string, "The key of the server."),
                .written("connection", \.connection, .id, "The number of the connection."),
                .written("peer", \.peer, .string, "The address of the peer."),
                .written("controller", \.controller, .string, "The identifier of the verified controller."),
                .written("characteristic", \.characteristic, .string, "The characteristic as aid.iid."),
                .written("accessory", \.accessory, .id, "The accessory's id."),
                .written(
                    "name",
                    \.name,
                    .string,
                    "The name of the characteristic, automation, command or definition file."
                ),
                .written("value", \.value, .value, "The new value; null for a press."),
                .written("valueText", \.valueText, .string, "The value in words."),
                .written("origin", \.origin, .string, "What changed the value: controller, program or device."),
                .written("method", \.method, .string, "The method of the request."),
                .written("path", \.path, .string, "The path of the request, without its query."),
                .written("status", \.status, .count, "The status of the response."),
                .written("hapStatus", \.hapStatus, .hapStatus, "The status of a refused write."),
                .written("count", \.count, .count, "The number of values in the event message."),
                .written("message", \.message, .string, "The event in a sentence."),
            ]
        )
}

extension Console {
    /// Returns an event as the API shows it.
    func report(of event: ConsoleEvent) -> EventResource {
        var report = EventResource(id: event.id, time: event.time, kind: event.content.kind)
        switch event.content {
        case .server(let index, let content): describe(content, ofServer: index, &report)
        case .scenario(let name, let message, _):
            report.name = name
            report.message = message
        case .home(_, _, let automation, let message):
            report.name = automation
            report.message = message
        case .serverAdded(let key, let name):
            report.server = key
            report.message = "\(name) is served."
        case .serverRemoved(let key, let name):
            report.server = key
            report.message = "\(name) is no longer served."
        case .definitionChanged(let file, let message):
            report.name = file
            report.message = message
        case .definitionFolderChanged(let message), .faultsChanged(let message), .timeChanged(let message):
            report.message = message
        case .command(let command, let message):
            report.name = command
            report.message = message
        }
        return report
    }

    private func describe(_ event: ServerEvent, ofServer index: Int, _ report: inout EventResource) {
        guard let server = journal.server(index) else { return }
        report.server = server.identity.key
        let peer = event.connection.flatMap { server.peer(of: $0) }
        report.connection = event.connection?.rawValue
        report.peer = peer?.address
        report.controller = peer?.controller?.description
        report.message = server.text(of: event, peer)
        // A server that was removed has no names any more.
        lazy var names = host?[index] == nil ? nil : host?.names
        func name(_ id: CharacteristicID) {
            report.characteristic = id.description
            report.name = names?.text(of: .characteristic(ServerCharacteristicID(server: index, id)))
        }
        switch event {
        case .sessionVerified(_, let controller), .pairingAdded(let controller, _), .pairingRemoved(let controller):
            report.controller = controller.description
        case .requestReceived(_, let method, let path):
            report.method = method.name
            report.path = path
        case .responseSent(_, let status): report.status = Int(status.rawValue)
        case .valueChanged(let id, let type, let value, let origin):
            name(id)
            report.value = .some(value)
            let described = names?.characteristic(at: ServerCharacteristicID(server: index, id))?.base
            report.valueText = (described ?? CharacteristicDescription(type, nil)).text(of: value)
            report.origin = origin.label
        case .identifyRequested(let aid): report.accessory = aid.rawValue
        case .characteristicUsed(_, _, let id), .eventCoalesced(_, let id), .handlerSlow(let id),
            .handlerTimedOut(let id), .handlerFailed(let id, _):
            name(id)
        case .writeRefused(_, let id, let status):
            name(id)
            report.hapStatus = Int(status.rawValue)
        case .characteristicNotified(_, let id, let value):
            name(id)
            report.value = .some(value)
        case .eventSent(_, let count): report.count = count
        default: break
        }
    }
}

extension ConsoleEvent.Content {
    /// The kind of event as one word.
    var kind: String {
        switch self {
        case .server(_, let event): event.kind
        case .scenario: "scenario"
        case .home(let kind, _, _, _): "home-\(kind)"
        case .command: "command"
        case .serverAdded: "server-added"
        case .serverRemoved: "server-removed"
        case .definitionChanged: "definition-changed"
        case .definitionFolderChanged: "definition-folder"
        case .faultsChanged: "faults-changed"
        case .timeChanged: "time-changed"
        }
    }
}

extension ServerEvent {
    /// The kind of event as one word.
    var kind: String {
        switch self {
        case .connectionOpened: "connection-opened"
        case .connectionClosed: "connection-closed"
        case .sessionVerified: "session-verified"
        case .requestReceived: "request"
        case .responseSent: "response"
        case .protocolViolation: "protocol-violation"
        case .valueChanged: "value"
        case .identifyRequested: "identify"
        case .characteristicUsed: "characteristic-used"
        case .characteristicNotified: "characteristic-notified"
        case .eventSent: "event-sent"
        case .eventCoalesced: "event-coalesced"
        case .writeRefused: "write-refused"
        case .handlerFailed: "handler-failed"
        case .handlerSlow: "handler-slow"
        case .handlerTimedOut: "handler-timed-out"
        case .pairingAdded: "pairing-added"
        case .pairingRemoved: "pairing-removed"
        case .pairSetupStarted: "pair-setup-started"
        case .pairSetupRefused: "pair-setup-refused"
        case .pairVerifyRefused: "pair-verify-refused"
        case .advertiserChanged: "advertiser"
        case .storeWritten: "store-written"
        case .storeFailed: "store-failed"
        case .configurationChanged: "configuration"
        case .listeningFailed: "listening-failed"
        case .listeningResumed: "listening-resumed"
        case .behaviorTimeChanged: "behavior-time"
        case .faultInjected: "fault-injected"
        case .faultApplied: "fault-applied"
        case .faultFinished: "fault-ended"
        }
    }
}

extension Format<EventTime> {
    static let time = Format(
        schema: Schema(.init("type", "string"), .init("format", "date-time")),
        read: { _, _ in nil },
        write: { .text($0.text) }
    )
}
