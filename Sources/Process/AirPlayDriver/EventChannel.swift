internal import AirPlay
internal import AsyncPrimitives
internal import HAPCore
internal import Hosting
internal import PropertyLists

/// The connection by which the receiver of a session sends requests to its sender.
///
/// The sender connects to a port that SETUP names, and answers what it gets.
actor EventChannel {
    private let listener: DriverListener
    private let peerHost: String
    private var keys: SessionKeys?
    private var connection: DriverConnection?
    private var stream: SessionStream?
    private var number = 0

    /// The port to which the sender connects; `nil` if it has done so.
    var port: UInt16? { connection == nil ? listener.endpoint.port : nil }

    private init(_ listener: DriverListener, _ peerHost: String, _ keys: SessionKeys) {
        (self.listener, self.peerHost, self.keys) = (listener, peerHost, keys)
    }

    /// Listens for the connection of a sender.
    static func open(
        on host: String,
        from peerHost: String,
        _ keys: SessionKeys,
        _ port: DriverPort
    ) async throws -> EventChannel {
        var limits = ListenerLimits()
        (limits.connections, limits.silentConnections, limits.isListed) = (4, 4, false)
        // A sender answers, and need not send anything before.
        limits.silence = .seconds(86_400)
        let listener = try await port.listen(on: DriverEndpoint(host: host, port: 0), limits: limits)
        return EventChannel(listener, peerHost, keys)
    }

    /// Reads and ignores what the sender answers, until the task is canceled.
    func run() async {
        defer { close() }
        for await connection in listener.connections {
            // Only the sender of the session has the keys; the first connection of its host is the one.
            guard self.connection == nil, connection.peerHost == peerHost, let keys else {
                connection.close()
                continue
            }
            self.keys = nil
            self.connection = connection
            stream = SessionStream(keys)
            listener.close()
            while let bytes = await connection.receive() {
                guard let answer = try? stream?.open(bytes), answer.count < 65_536 else { break }
            }
            return
        }
    }

    func close() {
        listener.close()
        connection?.close()
    }

    /// Sends a command; returns whether there is a connection for it.
    func send(_ command: RemoteCommand) async -> Bool {
        guard let connection else { return false }
        number += 1
        var list: [(String, PropertyList)] = [("type", "remoteCommand"), ("value", .text(command.name))]
        if case .setVolume(let level) = command { list.append(("volume", .real(level.decibels))) }
        let request = AirPlayRequest(
            "POST",
            "/command",
            .rtsp,
            ["CSeq": "\(number)", "Content-Type": "application/x-apple-binary-plist"],
            BinaryPropertyListWriter.write(.dictionary(PropertyListDictionary(list)))
        )
        guard let sealed = stream?.seal(request.bytes) else { return false }
        return (try? await connection.send(sealed)) != nil
    }
}
