import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import Hosting
import NIOCore
import NIOPosix
import Simulation
import TestSupport
import Testing

/// The effects of faults in connections and in the announcement, and of a server that is absent for a while.
@Suite struct ConnectionFaultTests {
    private static let first = HTTPRequest(.get, path: "/nothing")

    /// Returns whether a new connection is accepted and answered.
    private func isServed(_ faulty: FaultTestServer) async -> Bool {
        do {
            return try await faulty.testServer.connect().request(Self.first).status == 470
        } catch {
            return false
        }
    }

    @Test func newConnectionsAreRefusedAndOldOnesServed() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            await faulty.inject(.refuseConnections, limit: FaultLimit(count: 2))
            #expect(await !isServed(faulty))
            #expect(await !isServed(faulty))
            #expect(try await controller.request(Self.first).status == 404)
            #expect(await isServed(faulty))
            #expect(
                faulty.reportedEvents == ["refuseConnections acts", "refuseConnections acts", "refuseConnections over"]
            )
        }
    }

    @Test func allConnectionsAreClosedOnce() async throws {
        try await FaultTestServer.run { faulty in
            let controllers = [try await faulty.testServer.session(), try await faulty.testServer.connect()]
            // An open connection may not be accepted by the server yet. With the response, it is certain.
            #expect(try await controllers[1].request(Self.first).status == 470)
            await faulty.inject(.closeConnections)
            for controller in controllers {
                #expect(try await controller.messagesUntilClosed() == [])
                #expect(await !controller.isReset)
            }
            #expect(await isServed(faulty))
            #expect(faulty.reportedEvents == ["closeConnections acts", "closeConnections over"])
        }
    }

    @Test func connectionsBeyondTheLimitAreRefused() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            await faulty.inject(.connectionLimit(2))
            let second = try await faulty.testServer.connect()
            #expect(try await second.request(Self.first).status == 470)
            #expect(await !isServed(faulty))
            #expect(try await controller.request(Self.first).status == 404)
            await faulty.faults.clear()
            #expect(await isServed(faulty))
        }
    }

    @Test func refusingNetworkReopensOnTheSamePort() async throws {
        try await FaultTestServer.run { faulty in
            let port = await faulty.testServer.server.information.port
            let controller = try await faulty.testServer.session()
            await faulty.inject(.networkLoss(.refuse), limit: FaultLimit(duration: .seconds(30)))
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(await controller.isReset)
            #expect(await faulty.testServer.server.information.port == port)
            await #expect(throws: NIOConnectionError.self) { try await TestController.connect(to: port) }
            await faulty.advance(by: .seconds(30))
            #expect(await faulty.testServer.server.information.port == port)
            #expect(await isServed(faulty))
            #expect(faulty.reportedEvents == ["networkLoss acts", "networkLoss over"])
        }
    }

    @Test func takenPortIsReportedOnceAndItsReopeningOnce() async throws {
        try await FaultTestServer.run { faulty in
            let port = Int(await faulty.testServer.server.information.port)
            await faulty.inject(.networkLoss(.refuse), limit: FaultLimit(duration: .seconds(30)))
            let thief = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // Connections of another test may just have ended on this port, which would prevent its use.
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: port).get()
            await faulty.advance(by: .seconds(30))
            try await faulty.testServer.journal.waitForEvent { if case .listeningFailed = $0 { true } else { false } }
            // The server tries once more while the port is in use.
            await faulty.testServer.server.updateConditions()
            try await thief.close()
            try await faulty.testServer.journal.waitForEvent { $0 == .listeningResumed }
            #expect(await isServed(faulty))
            let reported = faulty.testServer.journal.events.compactMap { fact -> Bool? in
                switch fact {
                case .listeningFailed(let reason): reason.isEmpty ? nil : false
                case .listeningResumed: true
                default: nil
                }
            }
            #expect(reported == [false, true])
        }
    }

    @Test func silentNetworkDoesNotRespondAndThenResetsConnections() async throws {
        try await FaultTestServer.run { faulty in
            let (controller, idle) = (try await faulty.testServer.session(), try await faulty.testServer.session())
            let lamp = try await faulty.testServer.lamp
            try await idle.subscribe(to: lamp)
            await faulty.inject(.networkLoss(.silence), limit: FaultLimit(duration: .seconds(30)))
            try await controller.send(Self.first)
            let late = try await faulty.testServer.connect()
            try await late.send(Self.first)
            try await eventually("both requests have arrived") {
                faulty.testServer.journal.events
                    .count { if case .requestReceived(_, .get, path: "/nothing") = $0 { true } else { false } } >= 2
            }
            #expect(await faulty.testServer.server.set(true, for: lamp))
            await faulty.advance(by: .seconds(30))
            for connection in [controller, idle, late] {
                #expect(try await connection.messagesUntilClosed() == [])
            }
            #expect(await isServed(faulty))
        }
    }

    @Test func rebootRaisesOnlyTheConfigurationNumber() async throws {
        try await FaultTestServer.run { faulty in
            let before = await faulty.testServer.server.information
            let lamp = try await faulty.testServer.lamp
            let controller = try await faulty.testServer.session()
            #expect(try await controller.put(true, to: lamp).status == 204)
            await faulty.inject(.reboot(away: .seconds(5)))
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(await !controller.isReset)
            await #expect(throws: NIOConnectionError.self) { try await TestController.connect(to: before.port) }
            #expect(faulty.testServer.journal.entries.last { $0.isAboutAnnouncing } == .withdrawn)
            await faulty.advance(by: .seconds(5))
            #expect(await faulty.testServer.server.information == before)
            #expect(await faulty.testServer.server.configurationNumber == 2)
            #expect(faulty.testServer.journal.entries.last { $0.isAboutAnnouncing }?.configurationNumber == "2")
            #expect(try await faulty.testServer.store.attributes().configuration.number == 2)
            let next = try await faulty.testServer.session()
            #expect(try await next.value(of: lamp) == 1)
            #expect(faulty.reportedEvents == ["reboot acts", "reboot over"])
        }
    }

    @Test func onlyPairingsAreRemoved() async throws {
        try await FaultTestServer.run { faulty in
            let before = await faulty.testServer.server.information
            let controller = try await faulty.testServer.session()
            await faulty.inject(.forgetPairings)
            #expect(try await faulty.testServer.storedPairings == [])
            #expect(try await controller.messagesUntilClosed() == [])
            await #expect(throws: PairingFailure.self) { try await faulty.testServer.session() }
            try await faulty.testServer.journal.waitForEntry { $0.statusFlag == "1" }
            let after = await faulty.testServer.server.information
            #expect(after.deviceID == before.deviceID && after.setupCode == before.setupCode && !after.isPaired)
            _ = try await faulty.testServer.connect().pair()
            _ = try await faulty.testServer.session()
        }
    }

    @Test func otherFaultsKeepThePairings() async throws {
        try await FaultTestServer.run { faulty in
            let stored = try await faulty.testServer.storedPairings
            for definition in FaultCatalog.definitions where definition.name != "forgetPairings" {
                await faulty.inject(definition.effect(), limit: FaultLimit(duration: .seconds(60)))
                await faulty.advance(by: .seconds(3_600))
                #expect(try await faulty.testServer.storedPairings == stored, "\(definition.name)")
            }
            #expect(faulty.faults.active.isEmpty)
            _ = try await faulty.testServer.session()
        }
    }

    static let announcements: [(FaultEffect, key: String, wrong: String, right: String)] = [
        (.configurationNumber(0), "c#", "0", "1"), (.configurationNumber(65_535), "c#", "65535", "1"),
        (.statusFlag(1), "sf", "1", "0"), (.statusFlag(4), "sf", "4", "0"),
    ]

    @Test(arguments: announcements.indices)
    func announcementHasTheWrongValueDuringTheFault(index: Int) async throws {
        let (effect, key, wrong, right) = Self.announcements[index]
        try await FaultTestServer.run { faulty in
            await faulty.inject(effect, limit: FaultLimit(duration: .seconds(10)))
            #expect(faulty.announced?.text[key] == wrong)
            await faulty.advance(by: .seconds(10))
            #expect(faulty.announced?.text[key] == right)
        }
    }

    @Test func wrongPortIsAnnounced() async throws {
        try await FaultTestServer.run { faulty in
            await faulty.inject(.wrongPort(9))
            #expect(faulty.announced?.port == 9)
            await faulty.faults.clear()
            let port = await faulty.testServer.server.information.port
            #expect(faulty.announced?.port == port)
        }
    }

    @Test func announcementDisappearsAndReturns() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            await faulty.inject(.vanish)
            #expect(faulty.testServer.journal.entries.last { $0.isAboutAnnouncing } == .withdrawn)
            // Changes in the meantime do not announce it again.
            #expect(
                try await controller.managePairings(PairingMessages.remove(Fixture.controller.identifier))
                    == nil
            )
            try await faulty.testServer.journal.waitForEvent { if case .pairingRemoved = $0 { true } else { false } }
            await faulty.faults.clear()
            #expect(faulty.announced?.text["sf"] == "1")
        }
    }

    static let quirks: [FaultEffect] = [
        .quirk(.chunkedBodies), .quirk(.blanksInJSON), .quirk(.oddHeaderCase), .quirk(.splitSegments(bytes: 1)),
        .quirk(.splitSegments(bytes: 50)), .quirk(.booleansAsWords),
    ]

    @Test(arguments: quirks)
    func quirkKeepsTheMeaning(effect: FaultEffect) async throws {
        try await FaultTestServer.run { faulty in
            let lamp = try await faulty.testServer.lamp
            let plain = try await faulty.testServer.session().get([lamp])
            await faulty.inject(effect)
            let controller = try await faulty.testServer.session()
            try await controller.subscribe(to: lamp)
            let response = try await controller.get([lamp])
            #expect(response.status == plain.status)
            #expect(response.values.mapValues(\.hapBool) == plain.values.mapValues(\.hapBool))
            #expect(await faulty.testServer.server.set(true, for: lamp))
            let event = try await controller.event()
            #expect(event.values.mapValues(\.hapBool) == [lamp: true])
            if effect == .quirk(.booleansAsWords) {
                #expect(response.values == [lamp: false])
                #expect(event.values == [lamp: true])
            }
            if effect == .quirk(.blanksInJSON) {
                #expect(response.body.count > plain.body.count)
            }
            let altered = faulty.testServer.journal.events.contains { fact in
                if case .faultInjected(.response, .transmit) = fact { true } else { false }
            }
            #expect(altered)
            await faulty.faults.clear()
            #expect(try await controller.get([lamp]).values == [lamp: 1])
        }
    }
}

extension FaultTestServer {
    /// The record that is announced now.
    fileprivate var announced: ServiceRecord? {
        for case .advertised(let record) in testServer.journal.entries.reversed() {
            return record
        }
        return nil
    }
}

extension JournalEntry {
    fileprivate var isAboutAnnouncing: Bool {
        switch self {
        case .advertised, .withdrawn, .stopped: true
        case .event, .stored: false
        }
    }
}
