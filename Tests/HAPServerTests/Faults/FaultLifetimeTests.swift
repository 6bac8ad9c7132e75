import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import TestSupport
import Testing

@testable import Hosting

/// Faults leave nothing behind after they, their connections or their server have ended.
@Suite struct FaultLifetimeTests {
    private static let hour = Duration.seconds(3_600)
    private static let delay = Duration.milliseconds(100)
    private static let nothing = HTTPRequest(.get, path: "/nothing")

    private struct WeakReference {
        weak var server: AccessoryServer?
    }

    @Test func hourLongDelayDoesNotRetainAStoppedServer() async throws {
        var weak = WeakReference()
        try await FaultTestServer.run { faulty in
            weak.server = faulty.testServer.server
            let (reader, listener) = (try await faulty.testServer.session(), try await faulty.testServer.session())
            let lamp = try await faulty.testServer.lamp
            try await listener.subscribe(to: lamp)
            await faulty.inject(.latency(Self.hour...Self.hour, .any))
            await faulty.inject(.delayEvents(Self.hour))
            #expect(await faulty.testServer.server.set(true, for: lamp))
            try await reader.send(Self.nothing)
            try await eventually("both are delayed") {
                Set(faulty.reportedEvents) == ["latency acts", "delayEvents acts"]
            }
        }
        try await eventually("the server is gone") { weak.server == nil }
    }

    @Test func delayedEventIsDroppedAfterALaterOne() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let (lamp, other) = (try await faulty.testServer.lamp, try await faulty.testServer.id(TestAccessory.first))
            try await controller.subscribe(to: lamp, other)
            await faulty.inject(.delayEvents(Self.delay))
            await faulty.testServer.server.performAtomically { server in
                server.set(true, for: lamp)
                _ = faulty.faults.injector.clear { _ in true }
                server.set(false, for: lamp)
            }
            #expect(try await controller.eventValues() == [lamp: 0])
            // The event of this change has the same delay, so it arrives after the dropped event would have arrived.
            await faulty.inject(.delayEvents(Self.delay))
            #expect(await faulty.testServer.server.set(2, for: other))
            #expect(try await controller.eventValues() == [other: 2])
        }
    }

    @Test func clearedFaultReleasesTheDelayedEvent() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            try await controller.subscribe(to: lamp)
            await faulty.inject(.delayEvents(Self.delay))
            await faulty.testServer.server.performAtomically { server in
                server.set(true, for: lamp)
                _ = faulty.faults.injector.clear { _ in true }
            }
            #expect(try await controller.eventValues() == [lamp: 1])
        }
    }

    @Test func requestBeforeASilentNetworkGetsNoResponse() async throws {
        let gate = Gate()
        let handler = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            throw HandlerFailure(.busy)
        })
        let reference = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        try await FaultTestServer.run(handlers: [reference: handler]) { faulty in
            let controller = try await faulty.testServer.session()
            let read = CharacteristicReadRequest([
                CharacteristicAddress(try await faulty.testServer.id(TestAccessory.first))
            ])
            try await controller.send(HTTPRequest(.get, .characteristics, query: read.query))
            try await faulty.testServer.journal.waitForEvent {
                if case .requestReceived(_, .get, path: "/characteristics") = $0 { true } else { false }
            }
            await faulty.inject(.networkLoss(.silence), limit: FaultLimit(duration: .seconds(30)))
            await gate.open()
            try await faulty.testServer.journal.waitForEvent {
                if case .responseSent(_, .multiStatus) = $0 { true } else { false }
            }
            await faulty.advance(by: .seconds(30))
            #expect(try await controller.messagesUntilClosed() == [])
        }
    }

    @Test func faultAppliesAfterAccessoriesAreReplaced() async throws {
        try await FaultTestServer.run([TestAccessory.accessory(hasLamp: false)]) { faulty in
            await faulty.inject(.quirk(.booleansAsWords))
            try await faulty.testServer.server.replaceAccessories(with: [TestAccessory.accessory()])
            await faulty.faults.accessoriesChanged()
            let lamp = try await faulty.testServer.lamp
            #expect(try await faulty.testServer.session().get([lamp]).values == [lamp: false])
        }
    }

    @Test func splitAndWholeResponsesKeepTheirOrder() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            await faulty.inject(.quirk(.splitSegments(bytes: 1)))
            for request in [Self.nothing, HTTPRequest(.get, .accessories), Self.nothing] {
                try await controller.send(request)
            }
            #expect(try await controller.response().status == 404)
            await faulty.faults.clear()
            #expect(try await controller.response().status == 200)
            #expect(try await controller.response().status == 404)
        }
    }

    @Test func eventWaitsForASplitResponse() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            try await controller.subscribe(to: lamp)
            await faulty.inject(.quirk(.splitSegments(bytes: 20)))
            try await controller.send(HTTPRequest(.get, .accessories))
            try await eventually("the answer leaves") {
                faulty.testServer.journal.events
                    .contains { if case .requestReceived(_, .get, path: "/accessories") = $0 { true } else { false } }
            }
            #expect(await faulty.testServer.server.set(true, for: lamp))
            #expect(try await controller.nextMessage()?.kind == .response)
            #expect(try await controller.eventValues() == [lamp: 1])
        }
    }
}
