import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import NIOCore
import NIOPosix
import Synchronization
import TestSupport

/// An accessory on a free port of the loopback interface that follows a script.
final class ScriptedAccessory: Sendable {
    let port: UInt16
    let journal: Journal
    private let channel: any Channel

    /// A record of the requests, pairing changes and sessions of the accessory.
    final class Journal: Sendable {
        private struct State {
            var requests: [HTTPRequest] = []
            var changes: [PairingChange] = []
            var sessions: [NIOLoopBound<ScriptedConnection>] = []
        }

        private let loop: any EventLoop
        private let state = Mutex(State())

        init(loop: any EventLoop) {
            self.loop = loop
        }

        /// All requests, in order.
        var requests: [HTTPRequest] { state.withLock(\.requests) }
        /// The changes of pairings that were made within sessions.
        var changes: [PairingChange] { state.withLock(\.changes) }
        /// The number of sessions that were opened.
        var sessionCount: Int { state.withLock(\.sessions.count) }

        func record(_ request: HTTPRequest) { state.withLock { $0.requests.append(request) } }
        func record(_ change: PairingChange) { state.withLock { $0.changes.append(change) } }

        func addSession(_ connection: ScriptedConnection) {
            let bound = NIOLoopBound(connection, eventLoop: loop)
            state.withLock { $0.sessions.append(bound) }
        }

        /// Releases the sessions, because they retain the journal in turn.
        func removeSessions() {
            state.withLock { $0.sessions = [] }
        }

        /// Performs steps on the most recent session.
        func perform(_ steps: ScriptStep...) {
            guard let session = state.withLock({ $0.sessions.last }) else { return }
            loop.execute { session.value.perform(steps) }
        }
    }

    private init(channel: any Channel, journal: Journal) {
        self.channel = channel
        self.journal = journal
        port = UInt16(clamping: channel.localAddress?.port ?? 0)
    }

    /// Runs an accessory, and a controller that has stored a pairing with it.
    static func run(
        _ script: Script = Script(),
        configuration: ControllerConfiguration = .quick,
        body: (ScriptedAccessory, PairedAccessory) async throws -> Void
    ) async throws {
        try await serve(script) { accessory in
            let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [accessory.storedPairing])
            let controller = try await Controller.open(store: store, configuration: configuration, resolver: nil)
            do {
                try await body(accessory, try await controller.accessory("Lamp"))
            } catch {
                await controller.close()
                throw error
            }
            await controller.close()
        }
    }

    /// Runs an accessory while `body` runs.
    static func serve(_ script: Script, body: (ScriptedAccessory) async throws -> Void) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let journal = Journal(loop: loop)
        let channel = try await ServerBootstrap(group: loop)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ScriptedConnection(script: script, journal: journal)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        defer { journal.removeSessions() }
        do {
            try await body(ScriptedAccessory(channel: channel, journal: journal))
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    /// The pairing of the accessory as a controller stores it.
    var storedPairing: StoredPairing {
        StoredPairing(alias: "Lamp", pairing: Fixture.accessoryPairing, host: "127.0.0.1", port: port)
    }

    var target: AccessoryTarget {
        .address(host: "127.0.0.1", port: port)
    }
}
