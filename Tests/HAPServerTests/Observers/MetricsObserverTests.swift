import AccessoryModel
import CoreMetrics
import Foundation
import HAPCore
import MetricsTestKit
import TestSupport
import Testing

@testable import HAPServer

/// The metrics of a server.
@Suite struct MetricsObserverTests {
    @Test func readsWritesEventsSessionsAndStoredValuesAreMeasured() async throws {
        let metrics = TestMetrics()
        let store = InMemoryStore.withIdentity(PairingTable(pairings: [Fixture.pairing]))
        let server = try await AccessoryServer.start(
            .testing,
            accessories: [TestAccessory.accessory()],
            store: store,
            discovery: nil,
            metrics: metrics
        )
        let port = await server.information.port
        let (writer, reader) = (try await TestController.connect(to: port), try await TestController.connect(to: port))
        try await writer.verify()
        try await reader.verify()
        let key = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        let first = try #require(await server.id(of: key))
        try await reader.subscribe(to: first)
        #expect(try await writer.put(2, to: first).status == 204)
        #expect(try await reader.eventValues() == [first: 2])
        #expect(try await writer.get([first]).status == 200)
        let unknown = CharacteristicID(aid: first.aid, iid: InstanceID(9_999) ?? first.iid)
        #expect(try await writer.get([unknown]).status == 207)
        let requested = try await writer.request(HTTPRequest(.get, path: "/\(UInt64.random(in: 0...UInt64.max))"))
        #expect(requested.status == 404)
        let sessions = try metrics.expectMeter("hap_sessions", [("server", TestAccessory.key)])
        #expect(sessions.lastValue == 2)
        await server.stop()
        func total(_ label: String, _ dimensions: (String, String)...) -> Int64 {
            metrics.counterTotal(label: label, dimensions: [("server", TestAccessory.key)] + dimensions)
        }
        #expect(total("hap_requests", ("endpoint", "pair-verify"), ("status", "200")) == 4)
        #expect(total("hap_requests", ("endpoint", "characteristics"), ("status", "200")) == 1)
        #expect(total("hap_requests", ("endpoint", "characteristics"), ("status", "204")) == 2)
        #expect(total("hap_requests", ("endpoint", "characteristics"), ("status", "207")) == 1)
        #expect(total("hap_requests", ("endpoint", "other"), ("status", "404")) == 1)
        #expect(total("hap_events") == 1)
        #expect(total("hap_event_values") == 1)
        #expect(total("hap_pair_verify_attempts") == 2)
        #expect(total("hap_value_changes", ("origin", "controller")) == 1)
        #expect(total("hap_store_writes", ("record", "values")) >= 1)
        #expect(sessions.lastValue == 0)
        let durations = try metrics.expectTimer(
            "hap_request_duration",
            [("server", TestAccessory.key), ("endpoint", "characteristics")]
        )
        #expect(durations.values.count == 4)
        #expect(durations.values.allSatisfy { $0 > 0 })
    }

    @Test func requestDurationIsMeasuredFromArrivalToResponse() throws {
        let metrics = TestMetrics()
        let observer = MetricsObserver(metrics, server: "Lamp")
        func time(_ milliseconds: Int64) -> MonotonicInstant {
            MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
        }
        let (first, second) = (ConnectionID(1), ConnectionID(2))
        observer.observe(.requestReceived(first, .get, path: "/accessories"), at: time(0))
        observer.observe(.requestReceived(second, .get, path: "/accessories"), at: time(5))
        observer.observe(.responseSent(second, .ok), at: time(7))
        observer.observe(.responseSent(first, .ok), at: time(7))
        // Without a request there is nothing to measure.
        observer.observe(.responseSent(first, .ok))
        let durations = try metrics.expectTimer(
            "hap_request_duration",
            [("server", "Lamp"), ("endpoint", "accessories")]
        )
        #expect(durations.values == [2_000_000, 7_000_000])
    }

    @Test func startedAndRefusedPairSetupsAreCounted() async throws {
        let metrics = TestMetrics()
        let server = try await AccessoryServer.start(
            .testing,
            accessories: [TestAccessory.accessory()],
            store: InMemoryStore.withIdentity(PairingTable(pairings: [])),
            discovery: nil,
            metrics: metrics
        )
        let port = await server.information.port
        let controller = try await TestController.connect(to: port)
        let wrong = try #require(SetupCode("999-88-777"))
        await #expect(throws: PairingFailure.self) { try await controller.pair(code: wrong) }
        _ = try await TestController.connect(to: port).pair()
        #expect(try await TestController.connect(to: port).startPairing() == .unavailable)
        await server.stop()
        #expect(metrics.counterTotal(label: "hap_pair_setup_attempts") == 3)
        let refusals = metrics.counters(label: "hap_pair_setup_refusals")
        let reasons = refusals.map { $0.dimensions.last?.1 }
        #expect(Set(reasons) == ["authentication", "unavailable"])
        let stored = metrics.counters(label: "hap_store_writes").compactMap { $0.dimensions.last?.1 }
        #expect(Set(stored).contains("pairings"))
    }

    @Test func guideListsEveryMetricWithKindAndDimensions() throws {
        let metrics = TestMetrics()
        let observer = MetricsObserver(metrics, server: "Lamp")
        for event in ServerEvent.examples { observer.observe(event) }
        func rows(_ kind: String, _ made: [(label: String, dimensions: [(String, String)])]) -> [String] {
            made.map { metric in
                #expect(metric.dimensions.first.map { $0 == ("server", "Lamp") } == true)
                let names = metric.dimensions.dropFirst().map(\.0).joined(separator: ", ")
                return "`\(metric.label)` \(kind) \(names) \(MetricsObserver.summary(of: metric.label) ?? "")"
            }
        }
        let made =
            rows("counter", metrics.counters.map { ($0.label, $0.dimensions) })
            + rows("meter", metrics.meters.map { ($0.label, $0.dimensions) })
            + rows("timer", metrics.timers.map { ($0.label, $0.dimensions) })
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Server/HAPServer/HAPServer.docc/ObservingAServer.md")
        let listed = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `hap_") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .map { $0.joined(separator: " ") }
        #expect(Set(made) == Set(listed))
        #expect(listed.count == ServerMetrics.Metric.allCases.count)
    }
}
