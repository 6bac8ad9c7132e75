import AccessoryModel
import Discovery
import FuzzHarness
import HAPCore
import HAPServer
import NIOCore
import NIOEmbedded
import TestSupport

/// A server with its loop and its store.
///
/// It is reused for further inputs until one of them changes it.
final class FuzzServer {
    let loop = FuzzEventLoop()
    let embedded = EmbeddedEventLoop()
    let store: FuzzStore
    let gate = FuzzGate()
    private(set) var server: AccessoryServer?
    private let executor: FuzzTaskExecutor

    /// A controller without admin permission.
    static let guest = ControllerIdentity(
        identifier: Fixture.identifier("guest"),
        signingKey: Ed25519SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
    )

    /// The pairings of a new server, unless it starts without any.
    static let table = PairingTable(pairings: [
        Fixture.pairing, Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false),
    ])

    /// Limits that are so small that two connections together can exceed them.
    static let limits: ConnectionLimits = {
        var limits = ConnectionLimits()
        limits.unfinishedBytes = 20_000
        limits.sessionUnfinishedBytes = 24_000
        return limits
    }()

    init(isPaired: Bool, isStrict: Bool) {
        executor = FuzzTaskExecutor(loop)
        store = FuzzStore(Fixture.identityRecord, isPaired ? Self.table : PairingTable(), on: loop)
        start(isStrict: isStrict)
    }

    private func start(isStrict: Bool) {
        var configuration = ServerConfiguration(
            name: "Fuzz",
            category: .garageDoorOpener,
            port: 1,
            isStrict: isStrict
        )
        configuration.connectionLimits = Self.limits
        let ports = ServerPorts(
            store: store,
            advertiser: NoOpAdvertiser(),
            handlers: FuzzAccessory.handlers(waitingAt: gate)
        )
        let listener = EmbeddedChannel(loop: embedded)
        let slot = Slot()
        let loop = self.loop
        Task(executorPreference: executor) {
            do {
                let server = try await AccessoryServer.start(
                    configuration,
                    accessories: [FuzzAccessory.accessory],
                    ports: ports,
                    on: loop,
                    listener: listener
                )
                loop.execute { slot.server = server }
            } catch {
                fatalError("does not hold: the server starts: \(error)")
            }
        }
        loop.run(until: "the server starts") { slot.server != nil }
        server = slot.server
    }

    /// The place where a task stores the server.
    private final class Slot: @unchecked Sendable {
        // Sendable without a lock, because it is used only on the loop's thread.
        var server: AccessoryServer?
        var isDone = false
    }

    /// Opens a connection that the server has accepted.
    func connect() -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: embedded)
        do {
            try server?.accept(channel)
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        } catch {
            fatalError("does not hold: a connection is taken: \(error)")
        }
        return channel
    }

    /// Replaces the served accessory, if the store succeeds.
    func replace(with accessory: Accessory) {
        guard let server else { return }
        let slot = Slot()
        let loop = self.loop
        Task(executorPreference: executor) {
            try? await server.replaceAccessories(with: [accessory])
            loop.execute { slot.isDone = true }
        }
        loop.run(until: "the accessories are replaced") { slot.isDone }
    }

    /// Stops the server, closes its connections, and releases it.
    ///
    /// No other reference to it may exist.
    func end() {
        stop()
        release()
    }

    private func stop() {
        guard let server else { return }
        let slot = Slot()
        let loop = self.loop
        Task(executorPreference: executor) {
            await server.stop()
            loop.execute { slot.isDone = true }
        }
        loop.run(until: "the server stops") {
            embedded.run()
            return slot.isDone
        }
        loop.cancelTimers()
    }

    private func release() {
        weak let server = self.server
        self.server = nil
        loop.run(until: "a server that has stopped is let go") {
            embedded.run()
            return server == nil
        }
    }
}
