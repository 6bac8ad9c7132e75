import Cast
import HAPCore
import HostTestSupport
import TestSupport

/// A sender on a socket.
struct TestSender {
    private let peer: SocketPeer

    init(port: UInt16) async throws { peer = try await SocketPeer(port: port) }

    func close() { peer.close() }

    func write(_ bytes: [UInt8]) async throws { try await peer.send(bytes) }

    func send(
        _ payload: CastMessage.Payload,
        _ namespace: String,
        to destination: String = CastID.receiver
    ) async throws {
        guard let frame = CastMessage(from: "sender-0", to: destination, namespace, payload).frame else { return }
        try await peer.send(frame)
    }

    /// Sends a request with some members.
    func send(
        _ type: String,
        _ members: JSONObject = [:],
        _ namespace: String,
        to destination: String = CastID.receiver
    ) async throws {
        var object = members
        object["type"] = .string(type)
        object["requestId"] = 1
        try await send(.text(object.text), namespace, to: destination)
    }

    func send(_ type: String, _ namespace: String, to destination: String = CastID.receiver) async throws {
        try await send(type, [:], namespace, to: destination)
    }

    /// The messages that have arrived, the oldest first.
    private var messages: [CastMessage] {
        var decoder = CastFrameDecoder()
        decoder.append(peer.received)
        var messages: [CastMessage] = []
        while let frame = try? decoder.next(), let message = try? CastMessage(parsing: frame) {
            messages.append(message)
        }
        return messages
    }

    /// Waits for an object.
    func expect(_ description: String = "a message", _ isExpected: (JSONObject) -> Bool) async throws {
        try await eventually(description) { messages.compactMap(\.object).contains(where: isExpected) }
    }

    /// Returns whether an object has arrived already.
    func has(_ isMeant: (JSONObject) -> Bool) -> Bool { messages.compactMap(\.object).contains(where: isMeant) }

    func expectEnd() async throws { try await eventually("the connection ends") { peer.isClosed } }

    /// Waits for an app, and returns the id of its session.
    func session() async throws -> String {
        func id() -> String? {
            messages.compactMap { $0.object?.object("status")?.objects("applications")?.first?.text("sessionId") }.last
        }
        try await eventually("an app runs") { id() != nil }
        return id() ?? ""
    }

    /// Waits for a message that is not text, and returns it.
    func binary() async throws -> [UInt8] {
        func bytes() -> [UInt8]? {
            messages.lazy.compactMap { if case .binary(let bytes) = $0.payload { bytes } else { nil } }.first
        }
        try await eventually("an answer arrives") { bytes() != nil }
        return bytes() ?? []
    }
}
