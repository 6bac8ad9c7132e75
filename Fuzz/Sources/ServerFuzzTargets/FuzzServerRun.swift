import AccessoryModel
import FuzzHarness
import HAPCore
import HAPServer
import NIOCore
import NIOEmbedded
import TestSupport

/// A server and the connections of two controllers, on one thread and with a clock of their own.
final class FuzzServerRun {
    private let site: FuzzServer
    private let sites: FuzzServers
    private let options: Options
    private var connections: [FuzzConnection?] = [nil, nil]
    private var current = 0
    private var cuts: Cuts
    private var hadAdmin = false
    /// Whether the server may have changed.
    private var isChanged = false
    private var isGateShut = false
    private var isSmaller = false

    /// The options at the beginning of an input.
    struct Options: OptionSet {
        let rawValue: UInt8

        static let unpaired = Options(rawValue: 1)
        static let firstIsSession = Options(rawValue: 2)
        static let firstIsGuest = Options(rawValue: 4)
        static let secondIsSession = Options(rawValue: 8)
        static let strict = Options(rawValue: 16)
        /// Whether all values are read at the end, which takes longer than most inputs do.
        static let readsAll = Options(rawValue: 32)
    }

    init(_ options: Options, _ cuts: Cuts, _ sites: FuzzServers) {
        self.options = options
        self.cuts = cuts
        self.sites = sites
        let isStrict = options.contains(.strict)
        site =
            options.contains(.unpaired)
            ? FuzzServer(isPaired: false, isStrict: isStrict) : sites.take(isStrict: isStrict)
        connect()
    }

    // MARK: What the input commands

    func send(_ bytes: [UInt8]) {
        connection?.send(bytes, &cuts)
        settle()
        checkUnfinished()
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
        isChanged = true
        site.loop.advance(by: amount)
        settle()
    }

    func setValue(_ value: CharacteristicValue, of iid: UInt64) {
        guard let id = CharacteristicID(1, iid) else { return }
        isChanged = true
        site.server?.assumeIsolated { _ = $0.set(value, for: id) }
        settle()
    }

    func perform(_ command: BehaviorCommand) {
        isChanged = true
        site.server?.assumeIsolated { _ = $0.perform(command, on: ServiceKey(.garageDoorOpener)) }
        settle()
    }

    func toggleStore() {
        isChanged = true
        site.store.assumeIsolated { $0.toggle() }
    }

    /// Closes the gate, so that handlers wait, or opens it.
    func toggleGate() {
        isChanged = true
        isGateShut.toggle()
        if isGateShut {
            site.gate.shut()
        } else {
            site.gate.open()
        }
        settle()
    }

    func replaceAccessory() {
        isChanged = true
        isSmaller.toggle()
        site.replace(with: isSmaller ? FuzzAccessory.smaller : FuzzAccessory.accessory)
        settle()
    }

    private var connection: FuzzConnection? {
        connections[current]
    }

    // MARK: Connections

    /// Connects as the options specify, unless there is already a connection.
    private func connect() {
        guard connections[current] == nil else { return }
        let connection = FuzzConnection(site.connect())
        connections[current] = connection
        settle()
        verify(connection)
    }

    private func verify(_ connection: FuzzConnection) {
        let isSession = options.contains(current == 0 ? .firstIsSession : .secondIsSession)
        let isGuest = current == 0 && options.contains(.firstIsGuest)
        let identity = isGuest ? FuzzServer.guest : Fixture.controller
        // The pairing may have been removed.
        guard isSession, site.store.assumeIsolated({ $0.table[identity.identifier] != nil }) else { return }
        connection.verify(as: identity, isAdmin: !isGuest) { settle() }
        hadAdmin = hadAdmin || !isGuest
    }

    /// Runs everything that the server can do now.
    private func settle() {
        site.loop.run(until: "each request is answered") {
            receive()
            // Timers are run too, because unverified connections and connections with many requests wait for their
            // turn.
            while !isSettled, site.loop.runTimer(within: Self.turnTime) {
                receive()
            }
            return isSettled || site.gate.isHolding
        }
        receive()
    }

    /// The time within which every wait for a turn ends, on a clock that stands still while the server works.
    private static let turnTime = TimeAmount.milliseconds(1)

    private var isSettled: Bool {
        connections.allSatisfy { $0?.isSettled ?? true }
    }

    private func receive() {
        site.embedded.run()
        for connection in connections {
            connection?.receive()
        }
    }

    // MARK: The end

    /// Checks the invariants at the end, and releases everything.
    func finish() {
        site.gate.open()
        for connection in connections {
            connection?.setWritable(true)
        }
        settle()
        for connection in connections {
            connection?.checkEnd()
        }
        checkPairings()
        if options.contains(.readsAll), let connection, connection.isOpen, connection.role != .unverified {
            cuts = Cuts(1)
            _ = connection.request(HTTPRequest(.get, .accessories)) { settle() }
        }
        if isChanged {
            checkSilence()
        }
        for connection in connections {
            connection?.close()
        }
        settle()
        let hasChanged = isChanged || connections.contains { $0?.mayHaveChangedServer ?? false }
        connections = []
        if hasChanged || options.contains(.unpaired) {
            site.end()
        } else {
            sites.put(site, isStrict: options.contains(.strict))
        }
    }

    private func checkUnfinished() {
        let strangers = connections.compactMap { $0 }.filter { $0.role == .unverified }
        let sessions = connections.compactMap { $0 }.filter { $0.role != .unverified }
        claim(unfinished(strangers) <= FuzzServer.limits.unfinishedBytes, "strangers keep no more than they may")
        claim(unfinished(sessions) <= FuzzServer.limits.sessionUnfinishedBytes, "sessions keep no more than they may")
    }

    private func unfinished(_ connections: [FuzzConnection]) -> Int {
        connections.map(\.unfinishedByteCount).filter { $0 > ByteBudget.uncountedBytes }.reduce(0, +)
    }

    private func checkSilence() {
        let limits = FuzzServer.limits
        advance(by: TimeAmount(limits.pairSetupIdleTimeout + limits.inspectionInterval + limits.inspectionInterval))
        let stranger = connections.compactMap { $0 }.first { $0.role == .unverified && $0.isOpen }
        claim(stranger == nil, "an idle, unverified connection is closed")
    }

    private func checkPairings() {
        let table = site.store.assumeIsolated { $0.table }
        claim(table.isPaired || table.pairings.isEmpty, "without an admin no pairing stays")
        if !hadAdmin, !options.contains(.unpaired) {
            claim(table == FuzzServer.table, "only an admin changes pairings")
        }
        if options.contains(.unpaired) {
            claim(table.pairings.isEmpty, "only who knows the code pairs")
        }
    }
}
