import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import NIOCore
import NIOPosix
import Simulation
import SimulationRuntime
import TestSupport
import Testing

/// What a controller sees of faults in connections, in the announcement, and of a server that is away for a while.
@Suite struct ConnectionFaultTests {
    private static let first = HTTPRequest(.get, path: "/nothing")

    /// Whether a new connection is taken and answered.
    private func isServed(_ faulty: FaultBench) async -> Bool {
        do {
            return try await faulty.bench.connect().request(Self.first).status == 470
        } catch {
            return false
        }
    }

    @Test func newConnectionsAreRefusedAndOldOnesServed() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            await faulty.inject(.refuseConnections, limit: FaultLimit(count: 2))
            #expect(await !isServed(faulty))
            #expect(await !isServed(faulty))
            #expect(try await controller.request(Self.first).status == 404)
            #expect(await isServed(faulty))
            #expect(faulty.told == ["refuseConnections acts", "refuseConnections acts", "refuseConnections over"])
        }
    }

    @Test func allConnectionsAreClosedOnce() async throws {
        try await FaultBench.run { faulty in
            let controllers = [try await faulty.bench.session(), try await faulty.bench.connect()]
            // Who is connected has not been taken yet; who is answered has.
            #expect(try await controllers[1].request(Self.first).status == 470)
            await faulty.inject(.closeConnections)
            for controller in controllers {
                #expect(try await controller.messagesUntilClosed() == [])
                #expect(await !controller.isReset)
            }
            #expect(await isServed(faulty))
            #expect(faulty.told == ["closeConnections acts", "closeConnections over"])
        }
    }

    @Test func onlySoManyConnectionsAreTaken() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            await faulty.inject(.connectionLimit(2))
            let second = try await faulty.bench.connect()
            #expect(try await second.request(Self.first).status == 470)
            #expect(await !isServed(faulty))
            #expect(try await controller.request(Self.first).status == 404)
            await faulty.faults.clear()
            #expect(await isServed(faulty))
        }
    }

    @Test func aNetworkThatRefusesComesBackOnTheSamePort() async throws {
        try await FaultBench.run { faulty in
            let port = await faulty.bench.server.information.port
            let controller = try await faulty.bench.session()
            await faulty.inject(.networkLoss(.refuse), limit: FaultLimit(duration: .seconds(30)))
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(await controller.isReset)
            #expect(await faulty.bench.server.information.port == port)
            await #expect(throws: NIOConnectionError.self) { try await TestController.connect(to: port) }
            await faulty.pass(.seconds(30))
            #expect(await faulty.bench.server.information.port == port)
            #expect(await isServed(faulty))
            #expect(faulty.told == ["networkLoss acts", "networkLoss over"])
        }
    }

    @Test func aServerWhosePortWasTakenMeanwhileSaysOnceThatItTriesAgainAndOnceThatItIsBack() async throws {
        try await FaultBench.run { faulty in
            let port = Int(await faulty.bench.server.information.port)
            await faulty.inject(.networkLoss(.refuse), limit: FaultLimit(duration: .seconds(30)))
            let thief = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // Connections of another test may have ended on this port a moment ago.
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: port).get()
            await faulty.pass(.seconds(30))
            try await faulty.bench.journal.waitForFact { if case .listeningFailed = $0 { true } else { false } }
            // Tried once more while the port is taken.
            await faulty.bench.server.interferenceChanged()
            try await thief.close()
            try await faulty.bench.journal.waitForFact { $0 == .listeningAgain }
            #expect(await isServed(faulty))
            let told = faulty.bench.journal.facts.compactMap { fact -> Bool? in
                switch fact {
                case .listeningFailed(let reason): reason.isEmpty ? nil : false
                case .listeningAgain: true
                default: nil
                }
            }
            #expect(told == [false, true])
        }
    }

    @Test func aNetworkThatIsSilentAnswersNobodyAndResetsWhenItIsBack() async throws {
        try await FaultBench.run { faulty in
            let (controller, idle) = (try await faulty.bench.session(), try await faulty.bench.session())
            let lamp = try await faulty.bench.lamp
            try await idle.subscribe(to: lamp)
            await faulty.inject(.networkLoss(.silence), limit: FaultLimit(duration: .seconds(30)))
            try await controller.send(Self.first)
            let late = try await faulty.bench.connect()
            try await late.send(Self.first)
            try await eventually("both requests have arrived") {
                faulty.bench.journal.facts
                    .count { if case .requestReceived(_, .get, path: "/nothing") = $0 { true } else { false } } >= 2
            }
            #expect(await faulty.bench.server.set(true, for: lamp))
            await faulty.pass(.seconds(30))
            for connection in [controller, idle, late] {
                #expect(try await connection.messagesUntilClosed() == [])
            }
            #expect(await isServed(faulty))
        }
    }

    @Test func aRebootRaisesTheConfigurationNumberAndKeepsEverythingElse() async throws {
        try await FaultBench.run { faulty in
            let before = await faulty.bench.server.information
            let lamp = try await faulty.bench.lamp
            let controller = try await faulty.bench.session()
            #expect(try await controller.put(true, to: lamp).status == 204)
            await faulty.inject(.reboot(away: .seconds(5)))
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(await !controller.isReset)
            await #expect(throws: NIOConnectionError.self) { try await TestController.connect(to: before.port) }
            #expect(faulty.bench.journal.entries.last { $0.isAboutAnnouncing } == .hidden)
            await faulty.pass(.seconds(5))
            #expect(await faulty.bench.server.information == before)
            #expect(await faulty.bench.server.configurationNumber == 2)
            #expect(faulty.bench.journal.entries.last { $0.isAboutAnnouncing }?.configurationNumber == "2")
            #expect(try await faulty.bench.store.attributes().configuration.number == 2)
            let next = try await faulty.bench.session()
            #expect(try await next.value(of: lamp) == 1)
            #expect(faulty.told == ["reboot acts", "reboot over"])
        }
    }

    @Test func pairingsAreForgottenAndNothingElse() async throws {
        try await FaultBench.run { faulty in
            let before = await faulty.bench.server.information
            let controller = try await faulty.bench.session()
            await faulty.inject(.forgetPairings)
            #expect(try await faulty.bench.keptPairings == [])
            #expect(try await controller.messagesUntilClosed() == [])
            await #expect(throws: PairingFailure.self) { try await faulty.bench.session() }
            try await faulty.bench.journal.waitForEntry { $0.statusFlag == "1" }
            let after = await faulty.bench.server.information
            #expect(after.deviceID == before.deviceID && after.setupCode == before.setupCode && !after.isPaired)
            _ = try await faulty.bench.connect().pair()
            _ = try await faulty.bench.session()
        }
    }

    @Test func noOtherFaultTouchesThePairings() async throws {
        try await FaultBench.run { faulty in
            let kept = try await faulty.bench.keptPairings
            for definition in FaultCatalogue.definitions where definition.name != "forgetPairings" {
                await faulty.inject(definition.effect(), limit: FaultLimit(duration: .seconds(60)))
                await faulty.pass(.seconds(3_600))
                #expect(try await faulty.bench.keptPairings == kept, "\(definition.name)")
            }
            #expect(faulty.faults.active.isEmpty)
            _ = try await faulty.bench.session()
        }
    }

    static let announcements: [(FaultEffect, key: String, wrong: String, right: String)] = [
        (.configurationNumber(0), "c#", "0", "1"), (.configurationNumber(65_535), "c#", "65535", "1"),
        (.statusFlag(1), "sf", "1", "0"), (.statusFlag(4), "sf", "4", "0"),
    ]

    @Test(arguments: announcements.indices)
    func theAnnouncementSaysWhatDoesNotHoldAsLongAsTheFaultLasts(index: Int) async throws {
        let (effect, key, wrong, right) = Self.announcements[index]
        try await FaultBench.run { faulty in
            await faulty.inject(effect, limit: FaultLimit(duration: .seconds(10)))
            #expect(faulty.announced?.text[key] == wrong)
            await faulty.pass(.seconds(10))
            #expect(faulty.announced?.text[key] == right)
        }
    }

    @Test func aWrongPortIsAnnounced() async throws {
        try await FaultBench.run { faulty in
            await faulty.inject(.wrongPort(9))
            #expect(faulty.announced?.port == 9)
            await faulty.faults.clear()
            let port = await faulty.bench.server.information.port
            #expect(faulty.announced?.port == port)
        }
    }

    @Test func anAnnouncementVanishesAndComesBack() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            await faulty.inject(.vanish)
            #expect(faulty.bench.journal.entries.last { $0.isAboutAnnouncing } == .hidden)
            // What changes meanwhile does not bring it back.
            #expect(
                try await controller.managePairings(PairingMessages.remove(Fixture.controller.identifier))
                    == nil
            )
            try await faulty.bench.journal.waitForFact { if case .pairingRemoved = $0 { true } else { false } }
            await faulty.faults.clear()
            #expect(faulty.announced?.text["sf"] == "1")
        }
    }

    static let quirks: [FaultEffect] = [
        .quirk(.chunkedBodies), .quirk(.blanksInJSON), .quirk(.oddHeaderCase), .quirk(.splitSegments(bytes: 1)),
        .quirk(.splitSegments(bytes: 50)), .quirk(.booleansAsWords),
    ]

    @Test(arguments: quirks)
    func aQuirkSaysTheSameInAnotherWay(effect: FaultEffect) async throws {
        try await FaultBench.run { faulty in
            let lamp = try await faulty.bench.lamp
            let plain = try await faulty.bench.session().get([lamp])
            await faulty.inject(effect)
            let controller = try await faulty.bench.session()
            try await controller.subscribe(to: lamp)
            let answer = try await controller.get([lamp])
            #expect(answer.status == plain.status)
            #expect(answer.values.mapValues(\.flag) == plain.values.mapValues(\.flag))
            #expect(await faulty.bench.server.set(true, for: lamp))
            let event = try await controller.event()
            #expect(event.values.mapValues(\.flag) == [lamp: true])
            if effect == .quirk(.booleansAsWords) {
                #expect(answer.values == [lamp: false])
                #expect(event.values == [lamp: true])
            }
            if effect == .quirk(.blanksInJSON) {
                #expect(answer.body.count > plain.body.count)
            }
            let altered = faulty.bench.journal.facts.contains { fact in
                if case .interfered(.response, .transmit) = fact { true } else { false }
            }
            #expect(altered)
            await faulty.faults.clear()
            #expect(try await controller.get([lamp]).values == [lamp: 1])
        }
    }
}

extension FaultBench {
    /// The record that is announced now.
    fileprivate var announced: ServiceRecord? {
        for case .advertised(let record) in bench.journal.entries.reversed() {
            return record
        }
        return nil
    }
}

extension JournalEntry {
    fileprivate var isAboutAnnouncing: Bool {
        switch self {
        case .advertised, .hidden, .withdrawn: true
        case .fact, .kept: false
        }
    }
}
