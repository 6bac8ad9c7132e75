import AccessoryModel
import HAPCore
import HAPServer
import Hosting
import Simulation
import TestSupport
import Testing

/// The effects of faults in events, as a controller sees them.
@Suite struct EventFaultTests {
    @Test func onlyMatchingEventsAreDropped() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let (lamp, other) = (try await faulty.testServer.lamp, try await faulty.testServer.id(TestAccessory.first))
            try await controller.subscribe(to: lamp, other)
            await faulty.inject(.dropEvents, on: .characteristic(lamp))
            #expect(await faulty.testServer.server.set(true, for: lamp))
            #expect(await faulty.testServer.server.set(2, for: other))
            #expect(try await controller.eventValues() == [other: 2])
            await faulty.faults.clear()
            #expect(await faulty.testServer.server.set(false, for: lamp))
            #expect(try await controller.eventValues() == [lamp: 0])
        }
    }

    @Test func delayedEventsArriveLater() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            try await controller.subscribe(to: lamp)
            await faulty.inject(.delayEvents(.seconds(2)))
            let begin = ContinuousClock().now
            #expect(await faulty.testServer.server.set(true, for: lamp))
            #expect(try await controller.eventValues() == [lamp: 1])
            #expect(begin.duration(to: ContinuousClock().now) >= .seconds(2))
        }
    }

    @Test func delayedEventIsNotReportedAfterUnsubscribing() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let (lamp, other) = (try await faulty.testServer.lamp, try await faulty.testServer.id(TestAccessory.first))
            try await controller.subscribe(to: lamp, other)
            await faulty.inject(.delayEvents(.milliseconds(100)))
            await faulty.testServer.server.performAtomically { server in
                server.setAtomically([(true, lamp), (2, other)])
                server.cancelSubscriptions(to: lamp)
            }
            #expect(try await controller.eventValues() == [other: 2])
        }
    }

    @Test func duplicatedEventsArriveTwice() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            try await controller.subscribe(to: lamp)
            await faulty.inject(.duplicateEvents, on: .accessory(lamp.aid), limit: FaultLimit(count: 1))
            #expect(await faulty.testServer.server.set(true, for: lamp))
            #expect(try await controller.eventValues() == [lamp: 1])
            #expect(try await controller.eventValues() == [lamp: 1])
            #expect(try await controller.eventsUntilNextResponse() == [])
        }
    }

    @Test(arguments: [FaultEffect.echoEvents, .quirk(.echoedEvents)])
    func writerReceivesItsEcho(effect: FaultEffect) async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            try await controller.subscribe(to: lamp)
            #expect(try await controller.put(true, to: lamp).status == 204)
            #expect(try await controller.eventsUntilNextResponse() == [])
            await faulty.inject(effect)
            #expect(try await controller.put(false, to: lamp).status == 204)
            #expect(try await controller.eventValues() == [lamp: 0])
            // Nothing has changed, so there is no event to echo.
            #expect(try await controller.put(false, to: lamp).status == 204)
            #expect(try await controller.eventsUntilNextResponse() == [])
        }
    }

    @Test func unsubscribedControllerStillReceivesEvents() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let (lamp, never) = (try await faulty.testServer.lamp, try await faulty.testServer.id(TestAccessory.first))
            try await controller.subscribe(to: lamp)
            try await controller.subscribe(to: lamp, isOn: false)
            #expect(await faulty.testServer.server.set(true, for: lamp))
            #expect(try await controller.eventsUntilNextResponse() == [])
            await faulty.inject(.eventsAfterUnsubscribe)
            #expect(await faulty.testServer.server.set(2, for: never))
            #expect(await faulty.testServer.server.set(false, for: lamp))
            #expect(try await controller.eventValues() == [lamp: 0])
            #expect(faulty.reportedEvents == ["eventsAfterUnsubscribe acts"])
        }
    }

    @Test func changesAreCoalescedFromTheFirst() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let (lamp, other) = (try await faulty.testServer.lamp, try await faulty.testServer.id(TestAccessory.first))
            try await controller.subscribe(to: lamp, other)
            await faulty.inject(.quirk(.coalescing(.halfSecond)))
            let begin = ContinuousClock().now
            await faulty.testServer.server.setAtomically([(true, lamp), (2, other), (false, lamp)])
            #expect(try await controller.eventValues() == [lamp: 0, other: 2])
            #expect(begin.duration(to: ContinuousClock().now) >= .milliseconds(500))
        }
    }

    @Test func eachChangeHasItsOwnMessage() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let (lamp, other) = (try await faulty.testServer.lamp, try await faulty.testServer.id(TestAccessory.first))
            try await controller.subscribe(to: lamp, other)
            await faulty.inject(.quirk(.coalescing(.none)))
            for value in [true, false, true, false] {
                #expect(await faulty.testServer.server.set(.bool(value), for: lamp))
            }
            let events = try await controller.eventsUntilNextResponse()
            #expect(events.map(\.values) == [[lamp: 1], [lamp: 0], [lamp: 1], [lamp: 0]])
            await faulty.faults.clear()
            // The first change is sent alone if the previous message was sent long ago; the others follow in one
            // message.
            await faulty.testServer.server.setAtomically([(true, lamp), (false, lamp), (true, lamp), (2, other)])
            var values = try await controller.eventValues()
            if values == [lamp: 1] {
                values = try await controller.eventValues()
            }
            #expect(values == [lamp: 1, other: 2])
        }
    }

    @Test func latestChangeIsSentFirst() async throws {
        try await FaultTestServer.run { faulty in
            let (controller, writer) = (try await faulty.testServer.session(), try await faulty.testServer.session())
            let (lamp, other) = (try await faulty.testServer.lamp, try await faulty.testServer.id(TestAccessory.first))
            try await controller.subscribe(to: lamp, other)
            await faulty.inject(.quirk(.reversedEvents))
            let items = [(lamp, JSONValue.bool(true)), (other, JSONValue.number(3))]
            _ = try await writer.put(items.map { CharacteristicWriteItem(CharacteristicAddress($0.0), value: $0.1) })
            let body = try CharacteristicResponse(parsing: try await controller.event().body)
            #expect(body.items.compactMap(\.address.id) == [other, lamp])
        }
    }
}
