import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

@testable import Simulation

/// The subscribers that get an event for a change, and its time.
///
/// HAP: §14, §0 (withheld from the writer, timing)
@Suite struct EventTests {
    private static let first = CharacteristicKey(
        accessory: TestAccessory.key,
        service: ServiceKey(TestAccessory.service),
        type: TestAccessory.first
    )

    private static func handler(waitingFor gate: Gate) -> CharacteristicHandler {
        CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 1
        })
    }

    private static func isRead(_ fact: ServerEvent) -> Bool {
        if case .requestReceived(_, .get, "/characteristics") = fact { true } else { false }
    }

    @Test func writeNotifiesOtherSubscribers() async throws {
        try await TestServer.run { server in
            let (subscriber, writer) = (try await server.session(), try await server.session())
            let lamp = try await server.lamp
            try await subscriber.subscribe(to: lamp)
            #expect(try await writer.put(true, to: lamp).status == 204)
            let event = try await subscriber.event()
            #expect(event.kind == .event)
            #expect(event.status == 200)
            #expect(event.contentType == .hapJSON)
            #expect(event.text == #"{"characteristics":[{"aid":1,"iid":\#(lamp.iid),"value":1}]}"#)
        }
    }

    @Test func writerDoesNotReceiveItsOwnEvent() async throws {
        try await TestServer.run { server in
            let (writer, other) = (try await server.session(), try await server.session())
            let lamp = try await server.lamp
            try await writer.subscribe(to: lamp)
            try await other.subscribe(to: lamp)
            #expect(try await writer.put(true, to: lamp).status == 204)
            #expect(try await other.eventValues() == [lamp: 1])
            #expect(try await writer.eventsUntilNextResponse() == [])
        }
    }

    @Test func writerOfATargetReceivesTheResultingEvents() async throws {
        try await TestServer.run([KilgoGarage.accessory(door: .init(travel: .seconds(3_600)))]) { server in
            let writer = try await server.session()
            let current = try await server.id(.currentDoorState, of: .garageDoorOpener, in: KilgoGarage.name)
            let target = try await server.id(.targetDoorState, of: .garageDoorOpener, in: KilgoGarage.name)
            try await writer.subscribe(to: current, target)
            #expect(try await writer.put(0, to: target).status == 204)
            #expect(try await writer.eventValues() == [current: 2])
        }
    }

    @Test func writerReceivesTheEventOfAReversedTarget() async throws {
        try await TestServer.run([KilgoGarage.accessory(door: .init(travel: .zero))]) { server in
            let writer = try await server.session()
            let target = try await server.id(.targetDoorState, of: .garageDoorOpener, in: KilgoGarage.name)
            #expect(try await writer.put(0, to: target).status == 204)
            #expect(await server.server.perform(.obstruct, on: ServiceKey(.garageDoorOpener)))
            try await writer.subscribe(to: target)
            #expect(try await writer.put(1, to: target).status == 204)
            #expect(try await writer.eventValues() == [target: 0])
            #expect(try await writer.value(of: target) == 0)
        }
    }

    @Test func unchangedValueSendsNoEvent() async throws {
        try await TestServer.run { server in
            let (subscriber, writer) = (try await server.session(), try await server.session())
            let lamp = try await server.lamp
            try await subscriber.subscribe(to: lamp)
            #expect(try await writer.put(false, to: lamp).status == 204)
            #expect(await server.server.set(false, for: lamp))
            #expect(try await subscriber.eventsUntilNextResponse() == [])
        }
    }

    @Test func deviceChangeNotifiesAllSubscribers() async throws {
        try await TestServer.run { server in
            let (one, two) = (try await server.session(), try await server.session())
            let id = try await server.id(TestAccessory.readOnly)
            try await one.subscribe(to: id)
            try await two.subscribe(to: id)
            #expect(await server.server.set(9, for: id))
            #expect(try await one.eventValues() == [id: 9])
            #expect(try await two.eventValues() == [id: 9])
        }
    }

    @Test func unsubscribingEndsEvents() async throws {
        try await TestServer.run { server in
            let subscriber = try await server.session()
            let (lamp, first) = (try await server.lamp, try await server.id(TestAccessory.first))
            try await subscriber.subscribe(to: lamp, first)
            try await subscriber.subscribe(to: lamp, isOn: false)
            #expect(await server.server.set(true, for: lamp))
            #expect(await server.server.set(2, for: first))
            #expect(try await subscriber.eventValues() == [first: 2])
            #expect(try await subscriber.eventsUntilNextResponse() == [])
        }
    }

    @Test func closedConnectionEndsItsSubscriptions() async throws {
        try await TestServer.run { server in
            let lamp = try await server.lamp
            let first = try await server.session()
            try await first.subscribe(to: lamp)
            try await first.close()
            try await server.journal.waitForEvent { if case .connectionClosed = $0 { true } else { false } }
            let second = try await server.session()
            #expect(try await second.get([lamp], includes: .ev).text.contains(#""ev":false"#))
            #expect(await server.server.set(true, for: lamp))
            #expect(try await second.eventsUntilNextResponse() == [])
        }
    }

    @Test func firstChangeIsSentAtOnceAndLaterOnesAreCoalesced() async throws {
        try await TestServer.run { server in
            let subscriber = try await server.session()
            let (lamp, brightness) = (try await server.lamp, try await server.id(.brightness, of: .lightbulb))
            try await subscriber.subscribe(to: lamp, brightness)
            await server.server.setAtomically([
                (true, lamp), (10, brightness), (20, brightness), (30, brightness), (false, lamp),
            ])
            #expect(try await subscriber.eventValues() == [lamp: 1])
            #expect(try await subscriber.eventValues() == [brightness: 30, lamp: 0])
            let counts = server.journal.events.compactMap {
                if case .eventSent(_, let count) = $0 { count } else { nil }
            }
            #expect(counts == [1, 2])
        }
    }

    @Test func buttonPressIsSentAtOnceWithQueuedEvents() async throws {
        try await TestServer.run { server in
            let subscriber = try await server.session()
            let button = try await server.id(.programmableSwitchEvent, of: .statelessProgrammableSwitch)
            let lamp = try await server.lamp
            try await subscriber.subscribe(to: button, lamp)
            await server.server.setAtomically([(true, lamp), (false, lamp), (0, button), (0, button)])
            #expect(try await subscriber.eventValues() == [lamp: 1])
            #expect(try await subscriber.eventValues() == [lamp: 0, button: 0])
            #expect(try await subscriber.eventValues() == [button: 0])
        }
    }

    @Test func queuedEventIsDroppedAfterUnsubscribing() async throws {
        let gate = Gate()
        let handlers = [Self.first: Self.handler(waitingFor: gate)]
        try await TestServer.run(handlers: handlers) { server in
            let subscriber = try await server.session()
            let (first, lamp) = (try await server.id(TestAccessory.first), try await server.lamp)
            try await subscriber.subscribe(to: lamp)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            let unsubscription = CharacteristicWriteItem(CharacteristicAddress(lamp), ev: false)
            let write = CharacteristicWriteRequest([unsubscription])
            try await subscriber.send(
                HTTPRequest(.get, .characteristics, query: read.query).message
                    + HTTPRequest(.put, .characteristics, body: write.body).message
            )
            try await server.journal.waitForEvent(where: Self.isRead)
            #expect(await server.server.set(true, for: lamp))
            await gate.open()
            #expect(try await subscriber.response().status == 200)
            #expect(try await subscriber.response().status == 204)
            #expect(try await subscriber.eventsUntilNextResponse() == [])
        }
    }

    @Test func eventIsNeverSentBetweenRequestAndResponse() async throws {
        let gate = Gate()
        let handlers = [Self.first: Self.handler(waitingFor: gate)]
        try await TestServer.run(handlers: handlers) { server in
            let subscriber = try await server.session()
            let (first, lamp) = (try await server.id(TestAccessory.first), try await server.lamp)
            try await subscriber.subscribe(to: lamp)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            let message = HTTPRequest(.get, .characteristics, query: read.query).message
            try await subscriber.send(message + message + HTTPRequest(.get, path: "/nothing").message)
            try await server.journal.waitForEvent(where: Self.isRead)
            #expect(await server.server.set(true, for: lamp))
            await gate.open()
            var kinds: [HTTPMessage.Kind] = []
            for _ in 0..<4 {
                kinds.append(try #require(try await subscriber.nextMessage()).kind)
            }
            #expect(kinds == [.response, .response, .response, .event])
        }
    }

    @Test func queuedEventIsNotSentToALaterWriter() async throws {
        try await TestServer.run { server in
            let writer = try await server.session()
            let lamp = try await server.lamp
            try await writer.subscribe(to: lamp)
            let write = CharacteristicWriteRequest([CharacteristicWriteItem(CharacteristicAddress(lamp), value: false)])
            let message = HTTPRequest(.put, .characteristics, body: write.body).message
            try await writer.send(HTTPRequest(.get, path: "/nothing").message + message.prefix(10))
            #expect(try await writer.response().status == 404)
            #expect(await server.server.set(true, for: lamp))
            try await writer.send(Array(message.dropFirst(10)))
            #expect(try await writer.nextMessage()?.status == 204)
            #expect(try await writer.eventsUntilNextResponse() == [])
        }
    }

    @Test func eventWaitsForTheRestOfAPartialRequest() async throws {
        try await TestServer.run { server in
            let subscriber = try await server.session()
            let lamp = try await server.lamp
            try await subscriber.subscribe(to: lamp)
            let message = HTTPRequest(.get, path: "/nothing").message
            // Both are in one frame: the response to the first request proves that the second has begun to arrive.
            try await subscriber.send(message + message.prefix(10))
            #expect(try await subscriber.response().status == 404)
            #expect(await server.server.set(true, for: lamp))
            try await subscriber.send(Array(message.dropFirst(10)))
            #expect(try await subscriber.nextMessage()?.kind == .response)
            #expect(try await subscriber.nextMessage()?.kind == .event)
        }
    }
}
