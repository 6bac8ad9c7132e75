internal import AccessoryModel
internal import AsyncPrimitives
internal import Cast
internal import Certificates
internal import Discovery
package import Hosting
internal import Simulation

extension DriverKind {
    /// The driver `cast`: a Cast receiver in front of a simulated television or speaker.
    package static let cast = DriverKind(.cast) { (parameters: CastParameters, port) in CastDriver(parameters, port) }
}

/// Connects senders with a ``CastBehavior``, which is the receiver: it decodes frames, answers heartbeats in real time, and
/// proves that the receiver is a known device.
///
/// See `docs/cast.md`.
actor CastDriver: Driver {
    /// The usual port: senders take receivers on other ports for groups.
    private static let usualPort: UInt16 = 8_009
    /// The number of further ports that are tried if the usual one is in use.
    private static let alternativePortCount: UInt16 = 20

    private let parameters: CastParameters
    private let port: DriverPort
    private let actions: PendingActions
    private var lastNumber: UInt64 = 0
    /// Set when the fault of a reboot acts.
    private let reboot = OneShot<Void>()

    /// What the receiver says to this driver, from before the first action on.
    private let messages: AsyncStream<PeerMessage>
    private let (summaries, summary) = AsyncStream.makeStream(
        of: CastSummary.self,
        bufferingPolicy: .bufferingNewest(1)
    )

    init(_ parameters: CastParameters, _ port: DriverPort) {
        (self.parameters, self.port) = (parameters, port)
        actions = PendingActions(port)
        messages = port.messages(to: .driver)
    }

    func run() async throws {
        defer { actions.end() }
        let keys = try await CastKeys.load(from: port.store)
        let credentials = try CastCredentials(keys)
        await identify(keys, isStart: true)
        let listener = try await listen(credentials)
        try await withThrowingDiscardingTaskGroup { [reboot, messages, summaries] group in
            group.addTask { try await credentials.renewRepeatedly() }
            group.addTask { [self] in
                for await message in messages { await handle(message) }
                if !Task.isCancelled { throw CastEnd.overload }
            }
            group.addTask { [self] in
                await announce(CastSummary(), keys, listener)
                for await summary in summaries {
                    await announce(summary, keys, listener)
                    // Senders can change what a receiver does much more often than a network should be told.
                    try await Task.sleep(for: .seconds(1))
                }
            }
            group.addTask { [self, port] in
                for await _ in port.accessoryChanges { await identify(keys, isStart: false) }
            }
            group.addTask {
                guard await reboot.waitUnlessCancelled() != nil else { return }
                // Before the connections end: a sender that connects again at once must not lose the new one, too.
                listener.close()
                throw CastEnd.reboot
            }
            group.addTask { [self] in
                await withDiscardingTaskGroup { senders in
                    for await connection in listener.connections {
                        let sender = await CastConnection(connection, nextPeer(), port, credentials, reboot)
                        senders.addTask { await sender.serve() }
                    }
                }
            }
        }
    }

    private func identify(_ keys: CastKeys, isStart: Bool) async {
        await port.deliver(.message(CastIdentity(name: name, id: keys.id, isStart: isStart), from: .driver))
    }

    private func nextPeer() -> PeerID {
        lastNumber += 1
        return PeerID(lastNumber)
    }

    private var name: String { parameters.name ?? port.accessory.name }

    /// Listens on the port of the definition; without one, on the usual port, or the next one that is free.
    private func listen(_ credentials: CastCredentials) async throws -> DriverListener {
        if let number = parameters.port { return try await listen(credentials, on: number) }
        do {
            return try await listen(credentials, on: Self.usualPort)
        } catch {
            for number in Self.usualPort + 1...Self.usualPort + Self.alternativePortCount {
                guard let listener = try? await listen(credentials, on: number) else { continue }
                let reason = "Port \(Self.usualPort) is in use; senders that search take other ports for groups"
                port.emit(DriverEvent("otherPort", ["port": "\(number)", "reason": reason], isWarning: true))
                return listener
            }
            throw error
        }
    }

    private func listen(_ credentials: CastCredentials, on number: UInt16) async throws -> DriverListener {
        var limits = ListenerLimits()
        limits.connections = 256
        let endpoint = DriverEndpoint(host: parameters.address, port: number, certificate: credentials.root.pem)
        return try await port.listen(on: endpoint, tls: credentials.tls, limits: limits)
    }

    private func handle(_ message: PeerMessage) {
        switch message.content {
        case let summary as CastSummary: self.summary.yield(summary)
        case let answer as DeviceActionResult: actions.finish(answer)
        default: break
        }
    }

    /// Announces the receiver, or what it does now.
    private func announce(_ summary: CastSummary, _ keys: CastKeys, _ listener: DriverListener) {
        var text = TXTRecord()
        text.append("id", keys.id)
        text.append("ve", "05")
        text.append("md", parameters.model)
        text.append("fn", name)
        // A television has a picture and sound; a speaker only sound.
        let isTelevision = port.accessory.services.contains { $0.key.type == .television }
        text.append("ca", isTelevision ? "5" : "4")
        text.append("st", summary.isRunning ? "1" : "0")
        text.append("rs", summary.statusText)
        text.append("ic", "/setup/icon.png")
        let instance = InstanceName("\(parameters.model.replacing(" ", with: "-"))-\(keys.id)")
        port.announce("_googlecast._tcp", instance, text, of: listener)
    }

    func perform(_ action: DriverAction) async throws(SimulationError) -> String { try await actions.perform(action) }
}

/// Why a receiver starts again.
private enum CastEnd: Error, CustomStringConvertible {
    case reboot
    case overload

    var description: String {
        switch self {
        case .reboot: "The fault receiverReboot acts."
        case .overload: "The receiver changes faster than it can be announced."
        }
    }
}
