import AccessoryModel
import Discovery
import FuzzHarness
import HAPCore
import HAPServer
import NIOCore
import NIOEmbedded
import TestSupport

/// A server and two controllers' connections, on one thread and a clock of their own.
final class ServerWorld {
    private let loop = FuzzEventLoop()
    private let embedded = EmbeddedEventLoop()
    private let executor: FuzzTaskExecutor
    private let store: FuzzStore
    private let options: Options
    private var server: AccessoryServer?
    private var connections: [FuzzConnection?] = [nil, nil]
    private var current = 0
    private var cuts: Cuts
    private var hadAdmin = false

    /// What an input begins with.
    struct Options: OptionSet {
        let rawValue: UInt8

        static let unpaired = Options(rawValue: 1)
        static let firstIsSession = Options(rawValue: 2)
        static let firstIsGuest = Options(rawValue: 4)
        static let secondIsSession = Options(rawValue: 8)
        static let strict = Options(rawValue: 16)
        /// Whether all values are looked at in the end, which takes longer than most inputs.
        static let readsAll = Options(rawValue: 32)
    }

    /// A controller without admin permission.
    private static let guest = ControllerIdentity(
        identifier: Fixture.identifier("guest"),
        signingKey: Ed25519SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
    )

    private static let table = PairingTable(pairings: [
        Fixture.pairing, Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false),
    ])

    private static let record: IdentityRecord = {
        guard let setupID = SetupID("7OSX") else { preconditionFailure("a setup ID has four characters") }
        return IdentityRecord(
            identity: Fixture.accessory,
            setupID: setupID,
            setupCode: Fixture.setupCode,
            verifier: Fixture.verifier
        )
    }()

    init(_ options: Options, _ cuts: Cuts) {
        self.options = options
        self.cuts = cuts
        executor = FuzzTaskExecutor(loop)
        store = FuzzStore(Self.record, options.contains(.unpaired) ? PairingTable() : Self.table, on: loop)
        start()
        connect()
    }

    private func start() {
        let configuration = ServerConfiguration(
            name: "Fuzz",
            category: .garageDoorOpener,
            port: 1,
            isStrict: options.contains(.strict)
        )
        let ports = ServerPorts(store: store, advertiser: SilentAdvertiser(), handlers: FuzzAccessory.handlers)
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

    /// Where a task puts the server; touched on the loop's thread alone.
    private final class Slot: @unchecked Sendable {
        // No lock: there is one thread.
        var server: AccessoryServer?
        var isStopped = false
    }

    // MARK: What the input commands

    func send(_ bytes: [UInt8]) {
        connection?.send(bytes, &cuts)
        settle()
    }

    func sendRaw(_ bytes: [UInt8]) {
        connection?.sendRaw(bytes, &cuts)
        settle()
    }

    func switchConnection() {
        current = 1 - current
        connect()
    }

    func reconnect() {
        connection?.close()
        settle()
        connections[current] = nil
        connect()
    }

    func toggleReading() {
        guard let connection else { return }
        connection.setWritable(!connection.isWritable)
        settle()
    }

    func advance(by amount: TimeAmount) {
        loop.advance(by: amount)
        settle()
    }

    func setValue(_ value: CharacteristicValue, of iid: UInt64) {
        guard let server, let id = CharacteristicID(1, iid) else { return }
        server.assumeIsolated { _ = $0.set(value, for: id) }
        settle()
    }

    func perform(_ command: BehaviorCommand) {
        server?.assumeIsolated { _ = $0.perform(command, on: ServiceKey(.garageDoorOpener)) }
        settle()
    }

    func toggleStore() {
        store.assumeIsolated { $0.toggle() }
    }

    private var connection: FuzzConnection? {
        connections[current]
    }

    // MARK: Connections

    /// Connects as the options say, unless there is a connection already.
    private func connect() {
        guard connections[current] == nil, let server else { return }
        let channel = EmbeddedChannel(loop: embedded)
        do {
            try server.take(channel)
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        } catch {
            fatalError("does not hold: a connection is taken: \(error)")
        }
        let connection = FuzzConnection(channel)
        connections[current] = connection
        settle()
        verify(connection)
    }

    private func verify(_ connection: FuzzConnection) {
        let isSession = options.contains(current == 0 ? .firstIsSession : .secondIsSession)
        let isGuest = current == 0 && options.contains(.firstIsGuest)
        let identity = isGuest ? Self.guest : Fixture.controller
        // Somebody may have removed it.
        guard isSession, store.assumeIsolated({ $0.table[identity.identifier] != nil }) else { return }
        connection.verify(as: identity, isAdmin: !isGuest) { settle() }
        hadAdmin = hadAdmin || !isGuest
    }

    /// Lets the server do all that it can do now.
    private func settle() {
        loop.run(until: "each request is answered") {
            embedded.run()
            for connection in connections {
                connection?.receive()
            }
            return connections.allSatisfy { $0?.isSettled ?? true }
        }
        embedded.run()
        for connection in connections {
            connection?.receive()
        }
    }

    // MARK: The end

    /// Checks what holds at the end, and takes everything down.
    func finish() {
        for connection in connections {
            connection?.setWritable(true)
        }
        settle()
        for connection in connections {
            connection?.checkEnd()
        }
        checkPairings()
        if options.contains(.readsAll), let connection, connection.isOpen, connection.role != .stranger {
            cuts = Cuts(1)
            _ = connection.request(HTTPRequest(.get, .accessories)) { settle() }
        }
        for connection in connections {
            connection?.close()
        }
        stop()
        release()
    }

    private func checkPairings() {
        let table = store.assumeIsolated { $0.table }
        claim(table.isPaired || table.pairings.isEmpty, "without an admin no pairing stays")
        if !hadAdmin, !options.contains(.unpaired) {
            claim(table == Self.table, "only an admin changes pairings")
        }
        if options.contains(.unpaired) {
            claim(table.pairings.isEmpty, "only who knows the code pairs")
        }
    }

    private func stop() {
        guard let server else { return }
        let slot = Slot()
        let loop = self.loop
        Task(executorPreference: executor) {
            await server.stop()
            loop.execute { slot.isStopped = true }
        }
        loop.run(until: "the server stops") {
            embedded.run()
            return slot.isStopped
        }
        loop.cancelTimers()
        embedded.run()
    }

    /// Lets go of the server, as nothing else may hold it.
    private func release() {
        weak let server = self.server
        self.server = nil
        connections = []
        loop.run(until: "a server that has stopped is let go") {
            embedded.run()
            return server == nil
        }
    }
}
