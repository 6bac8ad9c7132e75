import AccessoryModel
import HAPCore
import HAPServer
import HTTPTypes
import HostTestSupport
import Hosting
import Simulation
import Synchronization
import Testing

@testable import WebConsole

/// Values that the API writes as a controller.
struct WritesEndpointTests {
    /// The numbers of values that a device received together.
    private final class Requests: Sendable {
        private let sizes = Mutex<[Int]>([])

        var counts: [Int] { sizes.withLock { $0 } }

        func record(_ count: Int) { sizes.withLock { $0.append(count) } }
    }

    /// A lamp that records its writes, and is never as bright as 7.
    private struct RecordingLamp: Behavior {
        let requests: Requests
        var nextDeadline: MonotonicInstant? { nil }

        func start(
            with values: [CharacteristicType: CharacteristicValue],
            of types: [CharacteristicType],
            at now: MonotonicInstant
        ) -> [BehaviorChange] { [] }

        func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
            requests.record(writes.count)
            let isRefused = writes.contains { $0.type == .brightness && $0.value == 7 }
            return BehaviorResponse(refusals: isRefused ? [.brightness: .notAllowedInCurrentState] : [:])
        }

        func advance(to now: MonotonicInstant) -> [BehaviorChange] { [] }
        func readings(at now: MonotonicInstant) -> [DeviceReading] { [] }
    }

    private let requests = Requests()
    private let host = AccessoryHost(testing: .paused)
    private let console: Console

    init() async throws {
        var content = HostedContent.garage()
        let light = try #require(content.accessories[0].services.firstIndex { $0.key.type == .lightbulb })
        content.accessories[0].services[light].behavior = RecordingLamp(requests: requests)
        try await host.start([content])
        console = Console(of: "serve", version: "1", EventJournal(), host: host)
    }

    private func id(_ name: String) throws -> String {
        try host.names.characteristic(SimulationTarget(name)).place.id.description
    }

    private func write(_ values: (id: String, json: String)...) async throws -> [JSONObject] {
        let writes = values.map { "{\"characteristic\":\"\($0.id)\",\"value\":\($0.json)}" }.joined(separator: ",")
        let answer = try await console.respond(
            .put,
            "api/v1/servers/Kilgo%20Garage/characteristics",
            "{\"writes\":[\(writes)]}"
        )
        return try #require(answer.array).compactMap(\.object)
    }

    @Test func valuesOfOneRequestArriveTogether() async throws {
        let results = try await write((id("Garage Light/On"), "true"), (id("Garage Light/Brightness"), "40"))
        #expect(results.map { $0["status"]?.number } == [0, 0])
        #expect(requests.counts == [2])
        await host.stop()
    }

    @Test func eachValueHasItsOwnStatus() async throws {
        let results = try await write(
            (id("Garage Light/On"), "true"),
            (id("Garage Light/Brightness"), "7"),
            (id("Garage Light/Brightness"), "\"very\""),
            (id("Current Door State"), "1"),
            ("1.4711", "1"),
            ("nonsense", "1")
        )
        #expect(results.map { $0["status"]?.number } == [0, -70_412, -70_410, -70_404, -70_409, -70_409])
        #expect(results.map { $0["message"] == nil } == [true, false, false, false, false, false])
        #expect(results.last?["characteristic"]?.string == "nonsense")
        await host.stop()
    }

    @Test(arguments: [
        ("Garage Light/Brightness", "7", HAPStatus.notAllowedInCurrentState), ("Current Door State", "1", .readOnly),
    ])
    func refusalOfASingleValueHasItsStatusAsANumber(name: String, value: String, status: HAPStatus) async throws {
        do {
            let path = try "api/v1/servers/Kilgo%20Garage/characteristics/\(id(name))"
            _ = try await console.respond(.put, path, "{\"value\":\(value),\"as\":\"controller\"}")
            Issue.record("It was accepted.")
        } catch let problem as Problem {
            #expect(problem.hapStatus == status)
            let document = try #require(try JSONValue(parsing: problem.body).object)
            #expect(document["hapStatus"]?.number == JSONNumber(status.rawValue))
        }
        await host.stop()
    }
}
