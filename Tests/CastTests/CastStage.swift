import Cast
import HAPCore
import TestSupport

/// A receiver with senders, on a clock that a test moves.
final class CastStage {
    var receiver: CastReceiver
    var now = MonotonicInstant.zero
    /// The numbers of requests that were sent.
    private var lastRequest = 0
    /// The messages that have arrived at each connection, the oldest first.
    private(set) var arrived: [UInt64: [JSONObject]] = [:]

    init(_ configuration: CastReceiver.Configuration = CastReceiver.Configuration()) {
        receiver = CastReceiver(configuration)
    }

    /// Sends an object from the sender of a connection, and returns the answer with the number of the request.
    @discardableResult
    func send(
        _ type: String,
        _ members: JSONObject = [:],
        _ namespace: String = CastNamespace.media,
        to destination: String? = nil,
        from connection: UInt64 = 1,
        faults: CastFaults = .none
    ) -> JSONObject? {
        lastRequest += 1
        var object = members
        object["type"] = .string(type)
        object["requestId"] = .number(JSONNumber(lastRequest))
        let target = destination ?? (namespace == CastNamespace.media ? receiver.running?.sessionID : nil)
        let message = CastMessage(
            from: "sender-\(connection)",
            to: target ?? CastID.receiver,
            namespace,
            .text(object.text)
        )
        receiver.receive(message, from: connection, at: now, faults: faults)
        collect()
        return arrived[connection]?.last { $0.integer("requestId") == lastRequest }
    }

    /// Connects a sender to the receiver, and to the app that runs.
    func connect(_ connection: UInt64 = 1) {
        send("CONNECT", [:], CastNamespace.connection, from: connection)
        guard let id = receiver.running?.sessionID else { return }
        send("CONNECT", [:], CastNamespace.connection, to: id, from: connection)
    }

    /// Launches the default media receiver, and connects a sender to it.
    func launch(_ appID: String = CastApp.defaultMediaReceiver.id) {
        connect()
        send("LAUNCH", ["appId": .string(appID)], CastNamespace.receiver)
        connect()
    }

    /// Loads a content of some seconds, and returns the answer.
    @discardableResult
    func load(_ seconds: Double = 100, _ members: JSONObject = [:], media: JSONObject = [:]) -> JSONObject? {
        var content: JSONObject = ["contentId": "film", "contentType": "video/mp4", "duration": .real(seconds)]
        for member in media.members { content[member.key] = member.value }
        var members = members
        members["media"] = .object(content)
        return send("LOAD", members)
    }

    func advance(_ seconds: Double) {
        now = now.advanced(by: .seconds(seconds))
        receiver.advance(to: now)
        collect()
    }

    /// Returns what has arrived at a connection since the last call.
    func take(_ connection: UInt64 = 1) -> [JSONObject] {
        defer { arrived[connection] = [] }
        return arrived[connection] ?? []
    }

    func collect() {
        for (message, connection) in receiver.takeMessages() {
            if let object = message.object { arrived[connection, default: []].append(object) }
        }
    }

    /// The status of what is played.
    var media: JSONObject { receiver.mediaStatus(at: now).objects("status")?.first ?? JSONObject() }
    /// The state of the player; `nil` if nothing is loaded.
    var state: String? { media.text("playerState") }
    var position: Double? { media.number("currentTime") }
    /// The clip that is played.
    var clip: String? { media.object("breakStatus")?.text("breakClipId") }

    /// The names of the events since the last call.
    func takeEvents() -> [String] { receiver.takeEvents().map(\.name) }
}
