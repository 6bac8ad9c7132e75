import AccessoryModel
import ControllerTestSupport
import Discovery
import HAPController
import HAPCore
import HAPServer
import Hosting
import Simulation
import Synchronization
import TestSupport
import Testing

/// The controller with a bridge that has the habits of real devices, each of which made it fail.
@Suite("The controller with habits of real devices")
struct DeviceHabitTests {
    /// Quirks, or combinations of them, that no user of the controller may notice.
    static let quirks: [[QuirkProfile]] = [
        [.requestSize(maximum: 1_023)], [.pathSize(maximum: 512)], [.pathSize(maximum: 240)], [.readSize(maximum: 49)],
        [.readSize(maximum: 10)],
        [.subscriptionsByAccessory], [.trailingCommas], [.trailingCommas, .blanksInJSON], [.ignoredTrue],
        [.writesWithoutIDs], [.rememberedPress], [.lengthBeforeType], [.hostWithoutPort], [.pairingsWithoutSeparators],
        [.requestSize(maximum: 1_023), .readSize(maximum: 20), .subscriptionsByAccessory, .writesWithoutIDs],
    ]

    @Test("Everything works with each quirk, from pairing on", arguments: quirks)
    func everythingWorks(with quirks: [QuirkProfile]) async throws {
        try await LampBridge.run(quirks) { bridge in
            let paired = bridge.paired
            let all = try await bridge.all
            let on = try await bridge.ids(.on)

            // Events first, so that they must come from the subscriptions of this session.
            var changes = await paired.changes(of: all).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            var known: Set<CharacteristicID> = []
            while known.count < all.count - 1 {
                guard case .value(let id, _) = try #require(try await changes.next()) else {
                    Issue.record("a value is missing")
                    return
                }
                known.insert(id)
            }
            for lamp in on {
                #expect(await bridge.server.set(true, for: lamp))
            }
            var switched: Set<CharacteristicID> = []
            while switched.count < on.count {
                guard case .value(let id, true) = try #require(try await changes.next()) else {
                    Issue.record("another change than expected")
                    return
                }
                switched.insert(id)
            }
            #expect(switched == Set(on))

            let values = try await paired.read(all)
            #expect(values.map(\.code) == all.map { _ in 0 })
            #expect(values.filter { on.contains($0.id) }.map(\.value) == on.map { _ in true })

            // Large writes, and one that would be ignored.
            let off = try await paired.write(on.map { CharacteristicWrite($0, false) })
            #expect(off.map(\.code) == on.map { _ in 0 })
            let single = try await paired.write([CharacteristicWrite(on[0], true)])
            #expect(single.map(\.code) == [0])
            #expect(try await paired.read([on[0], on[1]]).map(\.value) == [true, false])
            let brightness = try await bridge.ids(.brightness)[0]
            #expect(try await paired.write([CharacteristicWrite(brightness, 101)]).map(\.status) == [.invalidValue])

            let other = Fixture.pairing(number: 7, isAdmin: false)
            try await paired.add(other)
            #expect(try await paired.pairings().map(\.identifier).contains(other.identifier))
            #expect(try await paired.accessories(refreshing: true).count == LampBridge.lampCount + 2)
        }
    }

    @Test("After silence, a read is repeated in smaller parts; later requests are small from the start")
    func readIsRepeatedInSmallerParts() async throws {
        try await LampBridge.run(requestTime: .seconds(2)) { bridge in
            let (all, on) = (try await bridge.all, try await bridge.ids(.on))
            await bridge.limitRequests(to: 270)
            #expect(try await bridge.paired.read(all).allSatisfy(\.isSuccess))
            #expect(bridge.requests.largeCount(.get) == 1)
            #expect(try await bridge.paired.read(all).allSatisfy(\.isSuccess))
            #expect(try await bridge.paired.write(on.map { CharacteristicWrite($0, true) }).allSatisfy(\.isSuccess))
            #expect(bridge.requests.largeCount(.get) == 1 && bridge.requests.largeCount(.put) == 0)
        }
    }

    @Test("A write without an answer is not repeated, but later requests are smaller")
    func writeWithoutAnswerIsNotRepeated() async throws {
        try await LampBridge.run(requestTime: .seconds(2)) { bridge in
            let writes = try await bridge.ids(.on).map { CharacteristicWrite($0, true) }
            await bridge.limitRequests(to: 600)
            await #expect(throws: ControllerError.self) { _ = try await bridge.paired.write(writes) }
            #expect(bridge.requests.largeCount(.put) == 1)
            #expect(try await bridge.paired.write(writes).allSatisfy(\.isSuccess))
            #expect(bridge.requests.largeCount(.put) == 1)
        }
    }

    @Test("A button that remembers its press is pressed only when an event says so")
    func rememberedPressIsNoPress() async throws {
        try await LampBridge.run([.rememberedPress]) { bridge in
            let (button, lamp) = (try await bridge.ids(.programmableSwitchEvent)[0], try await bridge.ids(.on)[0])
            var changes = await bridge.paired.changes(of: [button, lamp]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(lamp, false))
            #expect(await bridge.server.set(0, for: button))
            #expect(try await changes.next() == .value(button, 0))
            #expect(try await bridge.paired.read([button]).map(\.value) == [0])
            await bridge.faults.inject(Fault(.closeConnections))
            guard case .disconnected = try await changes.next() else {
                Issue.record("the end of the session was not reported")
                return
            }
            #expect(try await changes.next() == .connected)
            #expect(await bridge.server.set(true, for: lamp))
            #expect(try await changes.next() == .value(lamp, true))
            #expect(await bridge.server.set(0, for: button))
            #expect(try await changes.next() == .value(button, 0))
        }
    }

    @Test("A watch says which characteristics could not be read")
    func unreadableCharacteristicsAreReported() async throws {
        try await LampBridge.run { bridge in
            let on = try await bridge.ids(.on)
            let busy = Fault(.status(.busy, .reads), on: .characteristic(on[1]))
            await bridge.faults.inject(busy)
            var changes = await bridge.paired.changes(of: [on[0], on[1]]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on[0], false))
            #expect(try await changes.next() == .unreadable(CharacteristicResult(on[1], code: -70_403)))
            #expect(await bridge.server.set(true, for: on[1]))
            #expect(try await changes.next() == .value(on[1], true))
        }
    }
}

/// The sizes of the requests that a server has received, in bytes.
private final class RequestSizes: TrafficObserver {
    let isWanted = TrafficSwitch(true)
    private let sizes = Mutex<[(method: HTTPMethod, byteCount: Int)]>([])
    private let limit = Mutex(Int.max)

    func setLimit(_ limit: Int) {
        self.limit.withLock { $0 = limit }
    }

    func observe(_ message: TrafficMessage, on connection: ConnectionID, of controller: ControllerIdentifier?) {
        guard case .request(let request) = message else { return }
        var bytes: [UInt8] = []
        request.append(to: &bytes, host: "127.0.0.1")
        sizes.withLock { $0.append((request.method, bytes.count)) }
    }

    /// The number of requests that were larger than the limit.
    func largeCount(_ method: HTTPMethod) -> Int {
        let limit = limit.withLock { $0 }
        return sizes.withLock { $0.count { $0.method == method && $0.byteCount > limit } }
    }
}

/// A bridge with lamps and a button, faults, and a paired controller in this process.
private struct LampBridge: Sendable {
    static let lampCount = 30

    let server: AccessoryServer
    let faults: ServerFaults
    let paired: PairedAccessory
    let requests: RequestSizes

    static func run(
        _ quirks: [QuirkProfile] = [],
        requestTime: Duration = .seconds(60),
        body: (LampBridge) async throws -> Void
    ) async throws {
        let injector = FaultInjector()
        let requests = RequestSizes()
        let server = try await AccessoryServer.start(
            ServerConfiguration(name: "Bridge", category: .bridge, bindAddress: "127.0.0.1", port: 0),
            accessories: accessories,
            ports: ServerPorts(
                store: InMemoryStore.withIdentity(),
                advertiser: NoOpAdvertiser(),
                faultInjection: injector,
                traffic: requests
            )
        )
        let faults = ServerFaults(of: server, by: injector)
        for quirk in quirks {
            await faults.inject(Fault(.quirk(quirk)))
        }
        var configuration = ControllerConfiguration.patient
        configuration.requestTime = requestTime
        configuration.firstReconnectDelay = .milliseconds(1)
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: configuration,
            resolver: nil
        )
        do {
            let target = AccessoryTarget.address(host: "127.0.0.1", port: await server.information.port)
            let paired = try await controller.pair(target, with: .code(Fixture.setupCode), as: "Bridge")
            try await body(LampBridge(server: server, faults: faults, paired: paired, requests: requests))
        } catch {
            await controller.close()
            await server.stop()
            throw error
        }
        await controller.close()
        await server.stop()
    }

    /// Does not answer larger requests from now on, and counts them.
    func limitRequests(to maximum: Int) async {
        requests.setLimit(maximum)
        await faults.inject(Fault(.quirk(.requestSize(maximum: maximum))))
    }

    /// The characteristics that report changes.
    var all: [CharacteristicID] {
        get async throws {
            CharacteristicPath.all(in: try await paired.accessories())
                .filter { $0.characteristic.permissions.contains(.events) }
                .map(\.id)
        }
    }

    func ids(_ type: CharacteristicType) async throws -> [CharacteristicID] {
        CharacteristicPath.all(in: try await paired.accessories()).filter { $0.characteristic.type == type }.map(\.id)
    }

    private static var accessories: [Accessory] {
        let lamps = (1...lampCount)
            .map { number in
                accessory(
                    "Lamp \(number)",
                    Service(
                        .lightbulb,
                        characteristics: [
                            Characteristic(cataloged: .on, value: false),
                            Characteristic(cataloged: .brightness, value: 50),
                            Characteristic(cataloged: .hue, value: 120),
                            Characteristic(cataloged: .saturation, value: 80),
                        ]
                    )
                )
            }
        let button = accessory(
            "Button",
            Service(
                .statelessProgrammableSwitch,
                characteristics: [Characteristic(cataloged: .programmableSwitchEvent)]
            )
        )
        return [accessory("Bridge", .protocolInformation())] + lamps + [button]
    }

    private static func accessory(_ name: String, _ services: Service...) -> Accessory {
        Accessory(
            key: name,
            services: [
                .accessoryInformation(
                    name: name,
                    manufacturer: "Example Works",
                    model: "M-1",
                    serialNumber: name,
                    firmware: "1.0.0"
                )
            ] + services
        )
    }
}
