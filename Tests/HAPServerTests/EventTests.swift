import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import TestSupport
import Testing

/// Who is told of which change, and when.
///
/// HAP: §14, §0 (withheld from the writer, timing)
@Suite struct EventTests {
    @Test func whatOneControllerWritesAnotherIsTold() async throws {
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

    @Test func theWriterIsNotToldWhatItWrote() async throws {
        try await TestServer.run { server in
            let (writer, other) = (try await server.session(), try await server.session())
            let lamp = try await server.lamp
            try await writer.subscribe(to: lamp)
            try await other.subscribe(to: lamp)
            #expect(try await writer.put(true, to: lamp).status == 204)
            #expect(try await other.eventValues() == [lamp: 1])
            #expect(try await writer.eventsSoFar() == [])
        }
    }

    @Test func theWriterOfATargetIsToldWhatComesOfIt() async throws {
        try await TestServer.run([KilgoGarage.accessory(door: .init(travel: .seconds(3_600)))]) { server in
            let writer = try await server.session()
            let current = try await server.id(.currentDoorState, of: .garageDoorOpener, in: KilgoGarage.name)
            let target = try await server.id(.targetDoorState, of: .garageDoorOpener, in: KilgoGarage.name)
            try await writer.subscribe(to: current, target)
            #expect(try await writer.put(0, to: target).status == 204)
            #expect(try await writer.eventValues() == [current: 2])
        }
    }

    @Test func theWriterIsToldThatAnObstructionReversedItsTarget() async throws {
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

    @Test func nothingIsToldWithoutAChange() async throws {
        try await TestServer.run { server in
            let (subscriber, writer) = (try await server.session(), try await server.session())
            let lamp = try await server.lamp
            try await subscriber.subscribe(to: lamp)
            #expect(try await writer.put(false, to: lamp).status == 204)
            #expect(await server.server.set(false, for: lamp))
            #expect(try await subscriber.eventsSoFar() == [])
        }
    }

    @Test func whatTheDeviceReportsEveryoneIsTold() async throws {
        try await TestServer.run { server in
            let (one, two) = (try await server.session(), try await server.session())
            let id = try await server.id(Bench.readOnly)
            try await one.subscribe(to: id)
            try await two.subscribe(to: id)
            #expect(await server.server.set(9, for: id))
            #expect(try await one.eventValues() == [id: 9])
            #expect(try await two.eventValues() == [id: 9])
        }
    }

    @Test func eventsEndWithTheSubscription() async throws {
        try await TestServer.run { server in
            let subscriber = try await server.session()
            let (lamp, first) = (try await server.lamp, try await server.id(Bench.first))
            try await subscriber.subscribe(to: lamp, first)
            try await subscriber.subscribe(to: lamp, isOn: false)
            #expect(await server.server.set(true, for: lamp))
            #expect(await server.server.set(2, for: first))
            #expect(try await subscriber.eventValues() == [first: 2])
            #expect(try await subscriber.eventsSoFar() == [])
        }
    }

    @Test func aSubscriptionEndsWithItsConnection() async throws {
        try await TestServer.run { server in
            let lamp = try await server.lamp
            let first = try await server.session()
            try await first.subscribe(to: lamp)
            try await first.close()
            try await server.journal.waitForFact { if case .connectionClosed = $0 { true } else { false } }
            let second = try await server.session()
            #expect(try await second.get([lamp], includes: .ev).text.contains(#""ev":false"#))
            #expect(await server.server.set(true, for: lamp))
            #expect(try await second.eventsSoFar() == [])
        }
    }

    @Test func theFirstChangeGoesAtOnceAndLaterOnesTogetherWithTheirLatestValues() async throws {
        try await TestServer.run { server in
            let (subscriber, writer) = (try await server.session(), try await server.session())
            let brightness = try await server.id(.brightness, of: .lightbulb)
            let (lamp, first) = (try await server.lamp, try await server.id(Bench.first))
            try await subscriber.subscribe(to: lamp, brightness, first)
            #expect(await server.server.set(true, for: lamp))
            #expect(try await subscriber.eventValues() == [lamp: 1])
            for value: JSONValue in [10, 20, 30] {
                #expect(try await writer.put(value, to: brightness).status == 204)
            }
            #expect(try await writer.put(false, to: lamp).status == 204)
            #expect(try await writer.put(5, to: first).status == 204)
            // What waits and is unsubscribed is not told any more.
            try await subscriber.subscribe(to: first, isOn: false)
            let later = try await subscriber.eventValues()
            #expect(later == [brightness: 30, lamp: 0])
            let counts = server.journal.facts.compactMap {
                if case .eventSent(_, let count) = $0 { count } else { nil }
            }
            #expect(counts == [1, 2])
        }
    }

    @Test func everyPressOfAButtonIsToldAtOnceAndTakesWithItWhatWaits() async throws {
        try await TestServer.run { server in
            let subscriber = try await server.session()
            let button = try await server.id(.programmableSwitchEvent, of: .statelessProgrammableSwitch)
            let lamp = try await server.lamp
            try await subscriber.subscribe(to: button, lamp)
            #expect(await server.server.set(true, for: lamp))
            #expect(try await subscriber.eventValues() == [lamp: 1])
            #expect(await server.server.set(false, for: lamp))
            #expect(await server.server.set(0, for: button))
            #expect(try await subscriber.eventValues() == [lamp: 0, button: 0])
            #expect(await server.server.set(0, for: button))
            #expect(try await subscriber.eventValues() == [button: 0])
        }
    }

    @Test func anEventNeverComesBetweenARequestAndItsResponse() async throws {
        let gate = Gate()
        let reference = CharacteristicReference(
            accessory: Bench.key,
            service: ServiceKey(Bench.service),
            type: Bench.first
        )
        let handler = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 1
        })
        try await TestServer.run(handlers: [reference: handler]) { server in
            let subscriber = try await server.session()
            let (first, lamp) = (try await server.id(Bench.first), try await server.lamp)
            try await subscriber.subscribe(to: lamp)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            let message = HTTPRequest(.get, .characteristics, query: read.query).message
            try await subscriber.send(message + message + HTTPRequest(.get, path: "/nothing").message)
            try await server.journal.waitForFact { fact in
                if case .requestReceived(_, .get, "/characteristics") = fact { true } else { false }
            }
            #expect(await server.server.set(true, for: lamp))
            await gate.open()
            var kinds: [HTTPMessage.Kind] = []
            for _ in 0..<4 {
                kinds.append(try #require(try await subscriber.nextMessage()).kind)
            }
            #expect(kinds == [.response, .response, .response, .event])
        }
    }

    @Test func anEventWaitsForTheRestOfARequestThatHasBegun() async throws {
        try await TestServer.run { server in
            let subscriber = try await server.session()
            let lamp = try await server.lamp
            try await subscriber.subscribe(to: lamp)
            let message = HTTPRequest(.get, path: "/nothing").message
            // One frame: with the answer to the first request it is certain that the second has begun to arrive.
            try await subscriber.send(message + message.prefix(10))
            #expect(try await subscriber.response().status == 404)
            #expect(await server.server.set(true, for: lamp))
            try await subscriber.send(Array(message.dropFirst(10)))
            #expect(try await subscriber.nextMessage()?.kind == .response)
            #expect(try await subscriber.nextMessage()?.kind == .event)
        }
    }
}
