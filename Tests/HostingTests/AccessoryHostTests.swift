import AccessoryModel
import AsyncPrimitives
import HAPCore
import HAPServer
import HostTestSupport
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// The servers of a host, which are started, added, replaced, removed and stopped in any order.
@Suite(.timeLimit(.minutes(5)))
struct AccessoryHostTests {
    /// What a host has told about its servers, in order.
    private final class Book: HostObserver {
        private let entries = Mutex<[String]>([])

        var lines: [String] { entries.withLock { $0 } }

        func record(_ line: String) { entries.withLock { $0.append(line) } }

        func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? {
            record("\(server.key): \(server.isAdded ? "added" : "started")")
            return ServerBook(book: self, key: server.key)
        }

        func observe(_ change: HostChange) async {
            switch change {
            case .added(let server): record("+ \(server.key)")
            case .removed(let server): record("- \(server.key)")
            }
        }
    }

    private struct ServerBook: HostedServerObserver {
        let book: Book
        let key: String
        var events: (any ServerObserver)? { nil }

        func observe(_ change: HostedServerChange) async {
            switch change {
            case .started: book.record("\(key) listens")
            case .replacing: book.record("\(key) changes")
            case .replaced(let server):
                book.record("\(key) has \(server.content.accessories[0].services.count) services")
            case .stopped: book.record("\(key) stopped")
            case .removed: book.record("\(key) removed")
            }
        }
    }

    /// Returns the garage with another name for its light, and without its door.
    private static func edited() throws -> HostedContent {
        var content = HostedContent.garage()
        var garage = content.accessories[0]
        for (place, service) in garage.services.enumerated() where service.key.type == .lightbulb {
            let name = try #require(service.characteristics.firstIndex { $0.type == .name })
            garage.services[place].characteristics[name].value = "Lamp"
        }
        garage.services.removeAll { $0.key.type == .garageDoorOpener }
        content.accessories = [garage]
        return content
    }

    @Test func observersLearnOfEachChangeInOrder() async throws {
        let book = Book()
        let host = AccessoryHost(testing: .testing, observers: [book])
        try await host.start([.garage(1)])
        let second = try await host.add(.garage(2))
        _ = try await host.replace(0, with: Self.edited())
        await host.remove(second.id)
        await host.stop()
        #expect(
            book.lines == [
                "Kilgo Garage: started", "Kilgo Garage listens", "Kilgo Garage 2: added", "Kilgo Garage 2 listens",
                "+ Kilgo Garage 2", "Kilgo Garage changes", "Kilgo Garage has 3 services", "Kilgo Garage 2 removed",
                "- Kilgo Garage 2", "Kilgo Garage stopped",
            ]
        )
    }

    @Test func namesFollowReplacedAccessories() async throws {
        let host = try await AccessoryHost.garages(1)
        let before = try host.names.characteristic(SimulationTarget("Garage Light/On")).place
        _ = try await host.perform(written: .set(SimulationTarget("Garage Light/On"), to: "true"))

        let number = try await host.replace(0, with: Self.edited())
        #expect(number == 2)
        #expect(try host.names.characteristic(SimulationTarget("Lamp/On")).place == before)
        let lamp = try host.names.resolve(SimulationTarget("Lamp"), as: [.service])
        #expect(await host.statusLines(of: lamp).contains("Lamp/On: true"))
        for gone in ["Garage Light", "Garage Door"] {
            let error = try #require(throws: SimulationError.self) {
                try host.names.resolve(SimulationTarget(gone), as: [.service])
            }
            #expect(error.code == .unknownName)
        }
        await host.stop()
    }

    @Test func contentThatCannotBeServedChangesNothing() async throws {
        let host = try await AccessoryHost.garages(1)
        var broken = HostedContent.garage()
        broken.accessories = []
        await #expect(throws: ServerError.self) { try await host.replace(0, with: broken) }
        #expect(host[0]?.content.accessories.count == 1)
        #expect(try host.names.resolve(SimulationTarget("Garage Door"), as: [.service]).server == 0)
        await #expect(throws: ServerError.self) { try await host.replace(7, with: .garage()) }
        await host.stop()
    }

    @Test func addedServerHasTheTimeAndTheNamesOfTheOthers() async throws {
        let host = try await AccessoryHost.garages(1)
        _ = try await host.perform(.advance(.seconds(86_400)))
        let second = try await host.add(.garage(2))
        #expect(await second.server.behaviorTime == host.servers[0].server.behaviorTime)
        #expect(await second.server.behaviorClockSnapshot.clock.isPaused)
        let door = SimulationTarget("Kilgo Garage 2/Garage Door/Target Door State")
        #expect(try host.names.characteristic(door).place.server == second.id)
        await host.stop()
    }

    @Test func serverThatIsAddedDuringAnAdvanceHasTheTimeOfTheOthers() async throws {
        let host = try await Self.busyHost()
        try await Self.duringAnAdvance(of: host) {
            let added = try await host.add(.garage(2))
            #expect(await added.server.behaviorTime == host.servers[0].server.behaviorTime)
        }
        #expect(host.servers.count == 2)
        await host.stop()
    }

    @Test func buttonAnswersWhileADayPasses() async throws {
        let host = try await Self.busyHost()
        let light = SimulationTarget("Garage Light/On")
        try await Self.duringAnAdvance(of: host) {
            let answer = try await host.perform(written: .set(light, to: "true"))
            #expect(answer == "Garage Light/On: true")
            #expect(await host.now < Self.endOfAdvance)
        }
        #expect(await host.now == Self.endOfAdvance)
        await host.stop()
    }

    @Test func stopEndsAnAdvance() async throws {
        let host = try await Self.busyHost()
        let advance = Task { try await host.perform(.advance(.seconds(100_000_000))) }
        try await eventually("time advances") { await host.now > .zero }
        advance.cancel()
        await host.stop()
        await #expect(throws: SimulationError.self) { try await advance.value }
    }

    /// A device that is due each second, so that a day has 86,400 steps.
    private struct Ticker: Behavior {
        private var next = MonotonicInstant.zero

        mutating func start(
            with values: [CharacteristicType: CharacteristicValue],
            of types: [CharacteristicType],
            at now: MonotonicInstant
        ) -> [BehaviorChange] {
            next = now.advanced(by: .seconds(1))
            return []
        }

        mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
            BehaviorResponse()
        }
        var nextDeadline: MonotonicInstant? { next }

        mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
            while next <= now { next = next.advanced(by: .seconds(1)) }
            return []
        }

        func readings(at now: MonotonicInstant) -> [DeviceReading] { [] }
    }

    /// Starts a garage whose light is due each second.
    private static func busyHost() async throws -> AccessoryHost {
        var content = HostedContent.garage()
        for place in content.accessories[0].services.indices
        where content.accessories[0].services[place].key.type == .lightbulb {
            content.accessories[0].services[place].behavior = Ticker()
        }
        let host = AccessoryHost(testing: .paused)
        try await host.start([content])
        return host
    }

    /// The time at which ``duringAnAdvance(of:_:)`` ends.
    private static let endOfAdvance = MonotonicInstant.zero.advanced(by: .seconds(86_400))

    /// Does something while a day passes.
    private static func duringAnAdvance(of host: AccessoryHost, _ work: () async throws -> Void) async throws {
        let hasBegun = OneShot<Void>()
        let advance = Task { try await host.advance(by: .seconds(86_400)) { _ in hasBegun.set() } }
        _ = await hasBegun.waitUnlessCancelled()
        try await work()
        try await advance.value
    }

    @Test func removedServerHasNoNamesAndTheLastOneLeavesItsClock() async throws {
        let host = AccessoryHost(testing: .testing)
        try await host.start([.garage(1), .garage(2)])
        await host.remove(0)
        #expect(host[0] == nil)
        #expect(host[1]?.key == "Kilgo Garage 2")
        #expect(host.names.serverNames == ["Kilgo Garage 2"])
        _ = try await host.perform(.pause)
        await host.remove(1)
        #expect(host.servers.isEmpty)
        let third = try await host.add(.garage(3))
        #expect(third.id == 2)
        #expect(await third.server.behaviorClockSnapshot.clock.isPaused)
        await host.stop()
    }

    @Test func theSameKeyIsRefusedTheSecondTime() async throws {
        let host = try await AccessoryHost.garages(1)
        let error = try #require(await #expect(throws: HostError.self) { try await host.add(.garage(1)) })
        #expect(error.message.contains("Another server has the id \"Kilgo Garage\" already"))
        #expect(host.servers.count == 1)
        await host.remove(0)
        _ = try await host.add(.garage(1))
        #expect(host.servers.map(\.id) == [1])
        await host.stop()
    }

    @Test func startThatFailsStopsTheOthers() async throws {
        let book = Book()
        let host = AccessoryHost(testing: .testing, observers: [book])
        var broken = HostedContent.garage(3)
        broken.accessories = []
        await #expect(throws: HostError.self) { try await host.start([.garage(1), .garage(2), broken]) }
        #expect(host.servers.isEmpty)
        for key in ["Kilgo Garage", "Kilgo Garage 2", "Kilgo Garage 3"] {
            #expect(book.lines.contains("\(key) removed"))
        }
        // Others can be started afterwards.
        try await host.start([.garage(1)])
        #expect(host.servers.count == 1)
        await host.stop()
    }

    @Test func cancelledStartKeepsTheServersThatListen() async throws {
        let host = AccessoryHost(testing: .testing)
        let contents = (1...200).map { HostedContent.garage($0) }
        let start = Task { try await host.start(contents) }
        start.cancel()
        try await start.value
        #expect(host.servers.count < contents.count)
        await host.stop()
    }

    @Test func nothingIsAddedAfterAStop() async throws {
        let host = try await AccessoryHost.garages(1)
        let server = try #require(host.servers.first).server
        async let start: HostedServer = host.add(.garage(2))
        await host.stop()
        _ = try? await start
        await #expect(throws: HostError.self) { try await host.add(.garage(3)) }
        #expect(host.servers.count <= 2)
        #expect(await server.write([]).isEmpty)
    }

    @Test func stopDuringTheStartStopsAllServers() async throws {
        let book = Book()
        let host = AccessoryHost(testing: .testing, observers: [book])
        async let start: Void = host.start((1...20).map { .garage($0) })
        await host.stop()
        try await start
        await host.stop()
        let ended = book.lines.filter { $0.hasSuffix(" removed") || $0.hasSuffix(" stopped") }
        #expect(Set(ended.map { $0.replacing(" stopped", with: " removed") }).count == 20)
    }

    @Test func removeWaitsForAStart() async throws {
        let host = try await AccessoryHost.garages(1)
        async let added: HostedServer = host.add(.garage(2))
        await host.remove(0)
        let second = try await added
        #expect(host.servers.map(\.id) == [second.id])
        await host.remove(second.id)
        await host.remove(second.id)
        #expect(host.servers.isEmpty)
        await host.stop()
    }

    @Test func manyChangesInAnyOrderLeaveTheServersThatWereAdded() async throws {
        let host = AccessoryHost(testing: .testing)
        try await host.start((1...8).map { .garage($0) })
        await withTaskGroup(of: Void.self) { group in
            for number in 9...24 { group.addTask { _ = try? await host.add(.garage(number)) } }
            for id in 0..<8 {
                group.addTask { await host.remove(id) }
                group.addTask { _ = try? await host.replace(id, with: .garage(id + 1)) }
            }
        }
        #expect(Set(host.servers.map(\.key)) == Set((9...24).map { "Kilgo Garage \($0)" }))
        #expect(Set(host.servers.map(\.offset)).count == 16)
        #expect(host.names.serverNames.count == 16)
        await host.stop()
    }

    @Test func aThousandServersAreStartedFoundAndStopped() async throws {
        let host = AccessoryHost(testing: .testing)
        try await host.start((1...1_000).map { .garage($0) })
        #expect(host.servers.map(\.id) == Array(0..<1_000))
        #expect(host[999]?.key == "Kilgo Garage 1000")
        let target = SimulationTarget("Kilgo Garage 777/Garage Light/On")
        _ = try await host.perform(written: .set(target, to: "true"))
        let place = try host.names.characteristic(target).place
        #expect(await host.values(of: [place])[place] == true)
        await host.remove(500)
        #expect(host[501]?.key == "Kilgo Garage 502")
        await host.stop()
    }
}
