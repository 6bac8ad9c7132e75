internal import AccessoryModel
package import Documents
internal import HAPCore
internal import HAPServer
internal import Hosting
internal import Resources
internal import Simulation

/// An event as the API shows it.
package struct EventResource: Sendable {
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

    package static let format = Format<EventResource>(
        response: "Event",
        .written("id", \.id, .id, "The id of the event; ids increase, also over a restart of the process."),
        .written("time", \.time, .time, "The time of the event."),
        .written("kind", \.kind, .string, "The kind of event, such as value, request or fault-applied."),
        .written("server", \.server, .string, "The key of the server."),
        .written("connection", \.connection, .id, "The number of the connection."),
        .written("peer", \.peer, .string, "The address of the peer."),
        .written("controller", \.controller, .string, "The identifier of the verified controller."),
        .written("characteristic", \.characteristic, .string, "The characteristic as aid.iid."),
        .written("accessory", \.accessory, .id, "The accessory's id."),
        .written("name", \.name, .string, "The name of the characteristic, automation, command or definition file."),
        .written("value", \.value, .nullable(.value), "The new value; null for a press."),
        .written("valueText", \.valueText, .string, "The value in words."),
        .written("origin", \.origin, .word(["controller", "program", "device"]), "What changed the value."),
        .written("method", \.method, .string, "The method of the request."),
        .written("path", \.path, .string, "The path of the request, without its query."),
        .written("status", \.status, .count, "The status of the response."),
        .written("hapStatus", \.hapStatus, .hapStatus, "The status of a refused write."),
        .written("count", \.count, .count, "The number of values in the event message."),
        .written("message", \.message, .string, "The event in a sentence.")
    )
}

extension Console {
    /// Returns an event as the API shows it.
    func report(of event: ConsoleEvent) -> EventResource {
        var report = EventResource(id: event.id, time: event.time, kind: event.content.kind)
        switch event.content {
        case .server(let index, let content): describe(content, ofServer: index, &report)
        case .note(_, let server, let name, let message):
            report.server = server
            report.name = name
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
        for field in event.fields {
            switch field {
            case .accessory(let aid): report.accessory = aid.rawValue
            case .characteristic(let id): name(id)
            case .type: break
            case .value(let value): report.value = .some(value)
            case .origin(let origin): report.origin = origin.label
            case .peer(let peer): report.peer = peer
            case .controller(let controller): report.controller = controller.description
            case .method(let method): report.method = method.name
            case .path(let path): report.path = path
            case .status(let status): report.status = Int(status.rawValue)
            case .hapStatus(let status): report.hapStatus = Int(status.rawValue)
            case .count(let count): report.count = count
            case .other: break
            }
        }
        if case .valueChanged(let id, let type, let value, _) = event {
            let described = names?.characteristic(at: ServerCharacteristicID(server: index, id))?.base
            report.valueText = (described ?? CharacteristicDescription(type, nil)).text(of: value)
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
