internal import AccessoryModel
internal import AirPlay
internal import AsyncPrimitives
internal import Discovery
internal import Fetching
internal import HAPCore
package import Hosting
internal import Simulation

extension DriverKind {
    /// The driver `airplay`: an AirPlay receiver in front of a simulated television or speaker.
    package static let airPlay = airPlay(exemptAddresses: [])

    /// - Parameter exemptAddresses: Private addresses from which playlists are fetched nevertheless, for tests.
    package static func airPlay(exemptAddresses: [String]) -> DriverKind {
        let addresses = Set(exemptAddresses.compactMap { IPAddress($0) })
        return DriverKind(.airPlay) { (parameters: AirPlayParameters, port) in
            AirPlayDriver(parameters, port, exemptAddresses: addresses)
        }
    }
}

/// Connects senders with an ``AirPlayBehavior``, which is the device: pairs them, decrypts what they send, and receives
/// audio.
///
/// See `docs/airplay.md`.
actor AirPlayDriver: Driver {
    /// The usual port.
    private static let usualPort: UInt16 = 7_000
    /// The number of further ports that are tried if the usual one is in use.
    private static let alternativePortCount: UInt16 = 20

    private let parameters: AirPlayParameters
    private let port: DriverPort
    private let fetcher: VideoFetcher
    private let actions: PendingActions
    private var lastNumber: UInt64 = 0
    private var context: ReceiverContext?

    /// What the device says to this driver, from before the first action on.
    private let messages: AsyncStream<PeerMessage>
    private let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// The videos of actions, whose addresses are looked up one after the other.
    private let (loads, load) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))

    init(_ parameters: AirPlayParameters, _ port: DriverPort, exemptAddresses: Set<IPAddress> = []) {
        (self.parameters, self.port) = (parameters, port)
        fetcher = VideoFetcher(
            otherDuration: parameters.videoDuration / .seconds(1),
            exemptAddresses: exemptAddresses
        )
        actions = PendingActions(port)
        messages = port.messages(to: .driver)
    }

    func run() async throws {
        defer { actions.end() }
        let credentials = try await AirPlayCredentials.load(from: port.store, parameters)
        let context = ReceiverContext(parameters, port, credentials, fetcher, change)
        self.context = context
        await port.deliver(.message(AirPlayStart(), from: .driver))
        let listener = try await listen(pin: await credentials.access.password == nil ? credentials.pin : nil)
        try await withThrowingDiscardingTaskGroup { [messages, changes, change, loads, fetcher, port] group in
            group.addTask { [self] in
                for await message in messages { await handle(message) }
                if !Task.isCancelled { throw AirPlayOverload() }
            }
            group.addTask { [self] in
                await announce(context, listener)
                for await _ in changes {
                    await announce(context, listener)
                    // Senders can change what a receiver does much more often than a network should be told.
                    try await Task.sleep(for: .seconds(1))
                }
            }
            group.addTask {
                for await _ in port.accessoryChanges { change.yield() }
            }
            group.addTask {
                for await url in loads {
                    let loaded = SenderMessage.loaded(url: url, await fetcher.content(of: url))
                    await port.deliver(.message(AirPlayDelivery(loaded), from: .driver))
                }
            }
            group.addTask { [self] in
                await withDiscardingTaskGroup { senders in
                    for await connection in listener.connections {
                        let sender = await AirPlayConnection(connection, nextPeer(), context)
                        senders.addTask { await sender.serve() }
                    }
                }
            }
        }
    }

    private func nextPeer() -> PeerID {
        lastNumber += 1
        return PeerID(lastNumber)
    }

    /// Listens on the port of the definition; without one, on the usual port, or the next one that is free.
    private func listen(pin: String?) async throws -> DriverListener {
        let host = parameters.address
        func listen(on number: UInt16) async throws -> DriverListener {
            try await port.listen(on: DriverEndpoint(host: host, port: number, pin: pin))
        }
        if let number = parameters.port { return try await listen(on: number) }
        do {
            return try await listen(on: Self.usualPort)
        } catch {
            for number in Self.usualPort + 1...Self.usualPort + Self.alternativePortCount {
                guard let listener = try? await listen(on: number) else { continue }
                let details = ["port": "\(number)", "reason": "Port \(Self.usualPort) is in use"]
                port.emit(DriverEvent("otherPort", details, isWarning: true))
                return listener
            }
            throw error
        }
    }

    private func handle(_ message: PeerMessage) {
        switch message.content {
        case let summary as AirPlaySummary:
            let former = context?.summary
            context?.summary = summary
            if former?.isActive ?? false, !summary.isActive { port.show(nil) }
            if former?.isActive != summary.isActive || former?.isEnabled != summary.isEnabled { change.yield() }
        case let answer as DeviceActionResult: actions.finish(answer)
        // A video of an action.
        case ReceiverMessage.load(let url): load.yield(url)
        default: break
        }
    }

    /// Announces the receiver, or withdraws it while AirPlay is off.
    private func announce(_ context: ReceiverContext, _ listener: DriverListener) async {
        guard context.summary?.isEnabled ?? true else {
            port.withdraw("_airplay._tcp", of: listener)
            return port.withdraw("_raop._tcp", of: listener)
        }
        let information = await context.information()
        for (type, name, record) in [
            ("_airplay._tcp", information.name, information.airPlayRecord),
            ("_raop._tcp", information.audioInstance, information.audioRecord),
        ] {
            var text = TXTRecord()
            for (key, value) in record { text.append(key, value) }
            port.announce(type, InstanceName(name), text, of: listener)
        }
    }

    func perform(_ action: DriverAction) async throws(SimulationError) -> String { try await actions.perform(action) }

    func readings() async -> [DeviceReading] {
        guard let credentials = context?.credentials, await credentials.access.password == nil else { return [] }
        return [DeviceReading("pin", text: await credentials.pin)]
    }
}

/// Why a receiver starts again.
private struct AirPlayOverload: Error, CustomStringConvertible {
    var description: String { "The receiver changes faster than it can be announced." }
}
