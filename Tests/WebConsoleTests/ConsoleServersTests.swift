import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import TestSupport
import Testing

@testable import WebConsole

/// The servers of a console, which come and go.
struct ConsoleServersTests {
    private let journal = EventJournal()

    private var metrics: String { journal.metrics.text { _ in nil } }

    /// Starts a server on a port of its own.
    private func server(_ index: Int, named name: String) async throws -> ConsoleServer {
        let observer = ConsoleObserver(of: index, named: name, journal)
        let server = try await AccessoryServer.start(
            ServerConfiguration(name: name, category: KilgoGarage.category, bindAddress: "127.0.0.1"),
            accessories: [KilgoGarage.accessory()],
            store: InMemoryStore.withIdentity(),
            discovery: nil,
            observer: observer
        )
        return ConsoleServer(
            index: index,
            key: "\(name) \(index)",
            name: name,
            server: server,
            observer: observer,
            faults: nil
        ) { _, _ in nil }
    }

    @Test func metricsAndValuesOfARemovedServerAreForgotten() async throws {
        let lamps = [try await server(0, named: "Lamp"), try await server(1, named: "Lamp")]
        let console = Console(of: "serve", version: "1", journal, servers: lamps)
        let id = try #require(CharacteristicID(parsing: "1.9"))
        for lamp in lamps { lamp.observer.observe(.valueChanged(id, .on, .bool(true), by: .device)) }
        await lamps[0].server.stop()
        console.remove(0)
        #expect(journal.values(of: ServerCharacteristicID(server: 0, id)).isEmpty)
        #expect(journal.values(of: ServerCharacteristicID(server: 1, id)).map(\.value) == [.bool(true)])
        // Another server has the same name.
        #expect(metrics.contains("server=\"Lamp\""))
        await lamps[1].server.stop()
        console.remove(1)
        #expect(!metrics.contains("server=\"Lamp\""))
    }

    @Test func eachValueOfACharacteristicIsKept() throws {
        let observer = ConsoleObserver(of: 3, named: "Lamp", journal)
        let id = try #require(CharacteristicID(parsing: "1.9"))
        let long = CharacteristicValue.string(String(repeating: "x", count: 5_000))
        for value in [.bool(true), .number(.real(0.5)), .string("Lamp"), long, nil] as [CharacteristicValue?] {
            observer.observe(.valueChanged(id, .name, value, by: .program))
        }
        let values = journal.values(of: ServerCharacteristicID(server: 3, id)).map(\.value)
        #expect(values == [.bool(true), .number(.real(0.5)), .string("Lamp"), .string("(a large value)"), nil])
        #expect(metrics.contains("hap_value_changes_total{server=\"Lamp\",origin=\"program\"} 5"))
    }

    @Test func requestsAreCountedWhetherOrNotTheApiIsUsed() {
        let observer = ConsoleObserver(of: 0, named: "Lamp", journal)
        for _ in 0..<2 * EventJournal.capacity {
            observer.observe(.requestReceived(ConnectionID(1), .get, path: "/characteristics"))
            observer.observe(.responseSent(ConnectionID(1), .ok))
        }
        let line = "hap_requests_total{server=\"Lamp\",endpoint=\"characteristics\",status=\"200\"} "
        #expect(metrics.contains(line + "\(2 * EventJournal.capacity)"))
    }
}
