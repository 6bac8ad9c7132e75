import AccessoryModel
import HAPCore
import HAPServer
import HostTestSupport
import Hosting
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import WebConsole

/// The servers of a console, which come and go.
struct ConsoleServersTests {
    private let journal = EventJournal()

    private var metrics: String { journal.metrics.text { _ in nil } }

    private func observer(_ id: Int) throws -> ConsoleObserver {
        try #require(
            journal.observer(of: HostedServer.Identity(id: id, key: "Lamp \(id)", name: "Lamp")) as? ConsoleObserver
        )
    }

    @Test func metricsAndValuesOfARemovedServerAreForgotten() async throws {
        let observers = KeptObservers(of: journal)
        let host = AccessoryHost(testing: .testing, observers: [observers])
        try await host.start([.garage(1), .garage(2)].map { HostedContent(named: "Lamp", $0) })
        let id = try #require(CharacteristicID(parsing: "1.9"))
        for number in 0...1 {
            observers[number]?.observe(.valueChanged(id, .on, .bool(true), by: .device))
        }
        await host.remove(0)
        #expect(journal.values(of: ServerCharacteristicID(server: 0, id)).isEmpty)
        #expect(journal.values(of: ServerCharacteristicID(server: 1, id)).map(\.value) == [.bool(true)])
        // Another server has the same name.
        #expect(metrics.contains("server=\"Lamp\""))
        // The events of a server that was removed are still described, and no others are recorded.
        let last = journal.lastID
        #expect(journal.server(0)?.identity.key == "Kilgo Garage")
        observers[0]?.observe(.identifyRequested(.primary))
        #expect(journal.lastID == last)
        await host.remove(1)
        #expect(!metrics.contains("server=\"Lamp\""))
    }

    @Test func metricsOfAServerThatCannotStartAreForgotten() async throws {
        var settings = HostSettings.testing
        settings.bindAddress = "192.0.2.1"
        let host = AccessoryHost(testing: settings, observers: [journal])
        await #expect(throws: HostError.self) { try await host.add(.garage()) }
        #expect(!metrics.contains("server=\"Kilgo Garage\""))
    }

    @Test func eachValueOfACharacteristicIsKept() throws {
        let observer = try observer(3)
        let id = try #require(CharacteristicID(parsing: "1.9"))
        let long = CharacteristicValue.string(String(repeating: "x", count: 5_000))
        for value in [.bool(true), .number(.real(0.5)), .string("Lamp"), long, nil] as [CharacteristicValue?] {
            observer.observe(.valueChanged(id, .name, value, by: .program))
        }
        let values = journal.values(of: ServerCharacteristicID(server: 3, id)).map(\.value)
        #expect(values == [.bool(true), .number(.real(0.5)), .string("Lamp"), .string("(a large value)"), nil])
        #expect(metrics.contains("hap_value_changes_total{server=\"Lamp\",origin=\"program\"} 5"))
    }

    @Test func requestsAreCountedWhetherOrNotTheApiIsUsed() throws {
        let observer = try observer(0)
        for _ in 0..<2 * EventJournal.capacity {
            observer.observe(.requestReceived(ConnectionID(1), .get, path: "/characteristics"))
            observer.observe(.responseSent(ConnectionID(1), .ok))
        }
        let line = "hap_requests_total{server=\"Lamp\",endpoint=\"characteristics\",status=\"200\"} "
        #expect(metrics.contains(line + "\(2 * EventJournal.capacity)"))
    }
}

extension HostedContent {
    /// Creates a content with another name on the network.
    fileprivate init(named name: String, _ content: HostedContent) {
        self = content
        self.name = name
    }
}

/// The observers that a journal returns, so that tests can send them events.
private final class KeptObservers: HostObserver {
    private let journal: EventJournal
    private let observers = Mutex<[HostedServer.ID: ConsoleObserver]>([:])

    init(of journal: EventJournal) {
        self.journal = journal
    }

    subscript(id: HostedServer.ID) -> ConsoleObserver? { observers.withLock { $0[id] } }

    func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? {
        let observer = journal.observer(of: server)
        observers.withLock { $0[server.id] = observer as? ConsoleObserver }
        return observer
    }

    func observe(_ change: HostChange) async { await journal.observe(change) }
}
