internal import AccessoryModel
internal import AsyncPrimitives
internal import Cast
internal import Certificates
internal import HAPCore
internal import HAPServer
internal import Hosting
internal import Simulation
internal import Synchronization

/// A connection of senders to a receiver.
final class CastConnection: Sendable {
    /// The time between two PING messages.
    private static let heartbeatInterval = Duration.seconds(5)
    /// The time without any message after which a connection ends.
    private static let silenceLimit = Duration.seconds(20)

    private let connection: DriverConnection
    private let peer: PeerID
    private let port: DriverPort
    private let credentials: CastCredentials
    private let reboot: OneShot<Void>
    private let lastMessage = Mutex(MonotonicInstant.now)

    init(
        _ connection: DriverConnection,
        _ peer: PeerID,
        _ port: DriverPort,
        _ credentials: CastCredentials,
        _ reboot: OneShot<Void>
    ) {
        (self.connection, self.peer, self.port) = (connection, peer, port)
        (self.credentials, self.reboot) = (credentials, reboot)
    }

    /// Carries messages until one side ends the connection.
    func serve() async {
        let messages = port.messages(to: peer)
        await port.deliver(.joined(peer))
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                for await message in messages { await send(message) }
                // A sender that does not read is disconnected.
                connection.close()
            }
            let heartbeat = Task { [self] in await keepAlive() }
            await receive()
            heartbeat.cancel()
            await port.deliver(.left(peer))
            connection.close()
        }
    }

    // MARK: Receiving

    private func receive() async {
        var decoder = CastFrameDecoder()
        do throws(CastError) {
            while let bytes = await connection.receive() {
                decoder.append(bytes)
                while let frame = try decoder.next() {
                    lastMessage.withLock { $0 = .now }
                    let message = try CastMessage(parsing: frame)
                    trace(message, .received, size: frame.count)
                    try await handle(message)
                }
            }
        } catch {
            port.emit(DriverEvent("rejected", ["peer": connection.peerHost, "reason": "\(error)"], isWarning: true))
        }
    }

    private func handle(_ message: CastMessage) async throws(CastError) {
        switch message.namespace {
        case CastNamespace.heartbeat:
            guard message.object?.text("type") == "PING", await !port.take(fault: "noHeartbeat") else { return }
            await send(answer(to: message, .text("{\"type\":\"PONG\"}")))
        case CastNamespace.deviceAuthentication:
            guard case .binary(let payload) = message.payload else { return }
            let challenge = try AuthenticationChallenge(parsing: payload)
            let proof =
                await port.take(fault: "rejectedAuthentication")
                ? AuthenticationAnswer.refusal(0)
                : credentials.answer(to: challenge, on: connection.certificate ?? [])
            await send(answer(to: message, .binary(proof)))
        default: await deliver(message)
        }
    }

    private func answer(to message: CastMessage, _ payload: CastMessage.Payload) -> CastMessage {
        CastMessage(from: message.destination, to: message.source, message.namespace, payload)
    }

    /// Passes a message to the receiver, with the faults that act on it.
    ///
    /// JSON is parsed here, because the receiver runs on the event loop of its server. In the standard namespaces, a text
    /// that is not JSON is ignored.
    private func deliver(_ message: CastMessage) async {
        let isOwn = !message.namespace.hasPrefix(CastNamespace.prefix)
        guard let message = isOwn ? message : message.decoded else { return }
        guard port.hasFaults else { return await port.deliver(.message(CastDelivery(message), from: peer)) }
        if await port.take(fault: "receiverReboot") { return reboot.set() }
        var faults = CastFaults()
        switch message.object?.text("type") {
        case "LAUNCH":
            faults.isBusy = await port.take(fault: "busyReceiver")
            if let seconds = await port.takeNumber(ofFault: "slowLaunch") { faults.launchDelay = .seconds(seconds) }
        case "LOAD", "QUEUE_LOAD":
            faults.loadFailure = await port.takeNumber(ofFault: "loadFailure").map { Int($0) }
        case "SET_VOLUME": faults.ignoresVolume = await port.take(fault: "ignoredVolume")
        default: break
        }
        faults.hasWrongRequestID = await port.take(fault: "wrongRequestID")
        let isForApp = message.destination != CastID.receiver && message.namespace != CastNamespace.connection
        let crashes = isForApp ? await port.take(fault: "appCrash") : false
        await port.deliver(.message(CastDelivery(message, faults: faults, crashesApp: crashes), from: peer))
    }

    // MARK: Sending

    private func send(_ message: PeerMessage) async {
        guard let message = message.content as? CastMessage else { return }
        await send(message)
    }

    private func send(_ message: CastMessage) async {
        guard var frame = message.frame else {
            return port.emit(DriverEvent("unsent", ["namespace": message.namespace], isWarning: true))
        }
        trace(message, .sent, size: frame.count)
        let canFail = port.hasFaults && message.namespace != CastNamespace.heartbeat
        let isCutOff = canFail ? await port.take(fault: "halfFrame") : false
        if isCutOff { frame.removeLast(frame.count / 2) }
        do {
            try await connection.send(frame)
        } catch {
            return connection.close()
        }
        if isCutOff { connection.close() }
    }

    private func trace(_ message: CastMessage, _ direction: DriverMessage.Direction, size: Int) {
        port.trace(size: size) {
            DriverMessage(
                direction,
                peer: peer.rawValue,
                from: message.source,
                to: message.destination,
                path: message.namespace,
                message.shownBody
            )
        }
    }

    /// Asks for a sign of life, and ends the connection without one.
    private func keepAlive() async {
        let ping = CastMessage(
            from: CastID.receiver,
            to: CastID.everyone,
            CastNamespace.heartbeat,
            .text("{\"type\":\"PING\"}")
        )
        while (try? await Task.sleep(for: Self.heartbeatInterval)) != nil {
            guard lastMessage.withLock({ $0.duration(to: .now) < Self.silenceLimit }) else { return connection.close() }
            await send(ping)
        }
    }
}

extension CastMessage {
    /// The keys of secrets of the user, which a sender passes to an app.
    private static let secretKeys: Set<String> = ["credentials"]

    /// The payload without secrets.
    fileprivate var shownBody: DriverMessage.Body {
        switch payload {
        case .binary(let bytes): .hidden(bytes.count)
        case .object(let object): .json(JSONValue.object(object).hiding(Self.secretKeys))
        case .text(let text): object.map { .json(JSONValue.object($0).hiding(Self.secretKeys)) } ?? .text(text)
        }
    }
}

extension JSONValue {
    /// Returns the value with other ones in place of the members with some keys, at any depth.
    fileprivate func hiding(_ keys: Set<String>) -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.hiding(keys) })
        case .object(let object):
            .object(
                JSONObject(
                    uniqueMembers: object.members.map { member in
                        let value = keys.contains(member.key) ? .string("(hidden)") : member.value.hiding(keys)
                        return JSONObject.Member(key: member.key, value: value)
                    }
                )
            )
        case .null, .bool, .number, .string: self
        }
    }
}
