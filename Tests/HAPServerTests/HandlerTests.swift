import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HAPServer

/// Requests that the embedding program answers with handlers.
///
/// HAP: §13, §15, §0 (several slow items)
@Suite struct HandlerTests {
    private static func reference(_ type: CharacteristicType) -> CharacteristicKey {
        CharacteristicKey(accessory: TestAccessory.key, service: ServiceKey(TestAccessory.service), type: type)
    }

    static let failures: [HAPStatus] = [
        .unableToPerform, .busy, .outOfResources, .timedOut, .insufficientAuthorization, .notAllowedInCurrentState,
    ]

    @Test(arguments: failures)
    func handlerStatusAppliesToItsItemOnly(status: HAPStatus) async throws {
        let handler = CharacteristicHandler(
            onRead: { throw HandlerFailure(status) },
            onWrite: { _, _ in throw HandlerFailure(status) }
        )
        try await TestServer.run(handlers: [Self.reference(TestAccessory.first): handler]) { server in
            let controller = try await server.session()
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            let read = try await controller.get([first, second])
            #expect(read.status == 207)
            #expect(read.statuses == [Int64(status.rawValue), 0])
            #expect(read.values == [second: 1])
            let items = [first, second].map { CharacteristicWriteItem(CharacteristicAddress($0), value: 2) }
            let write = try await controller.put(items)
            #expect(write.status == 207)
            #expect(write.statuses == [Int64(status.rawValue), 0])
            #expect(await server.server.value(of: first) == 1)
            #expect(await server.server.value(of: second) == 2)
        }
    }

    @Test func otherHandlerErrorIsUnableToPerform() async throws {
        let handler = CharacteristicHandler(
            onRead: { throw TestFailure("broken") },
            onWrite: { _, _ in throw HandlerFailure(.success) }
        )
        try await TestServer.run(handlers: [Self.reference(TestAccessory.first): handler]) { server in
            let controller = try await server.session()
            let first = try await server.id(TestAccessory.first)
            #expect(try await controller.get([first]).statuses == [-70_402])
            #expect(try await controller.put(2, to: first).statuses == [-70_402])
            let events = server.journal.events
            #expect(events.contains(.handlerFailed(first, String(describing: TestFailure("broken")))))
            #expect(events.contains(.handlerFailed(first, "-70402 (unable to perform operation)")))
        }
    }

    @Test func valueOutsideTheMetadataIsUnableToPerform() async throws {
        let handler = CharacteristicHandler(onRead: { 101 }, onWrite: { _, _ in "x" })
        try await TestServer.run(handlers: [Self.reference(TestAccessory.first): handler]) { server in
            let controller = try await server.session()
            let first = try await server.id(TestAccessory.first)
            #expect(try await controller.get([first]).statuses == [-70_402])
            #expect(try await controller.put(2, to: first).statuses == [-70_402])
            for value in ["101", "\"x\""] {
                let reason = "\(value) is not a value of this characteristic"
                #expect(server.journal.events.contains(.handlerFailed(first, reason)))
            }
        }
    }

    @Test func handlerReceivesAuthorizationAndMayReturnAnotherValue() async throws {
        let handler = CharacteristicHandler(onWrite: { value, authorization in
            guard authorization == [1, 2, 3] else { throw HandlerFailure(.insufficientAuthorization) }
            return value == 2 ? 3 : nil
        })
        try await TestServer.run(handlers: [Self.reference(TestAccessory.authorized): handler]) { server in
            let controller = try await server.session()
            let id = try await server.id(TestAccessory.authorized)
            let address = CharacteristicAddress(id)
            let refused = try await controller.put([CharacteristicWriteItem(address, value: 2, authData: "AAAA")])
            #expect(refused.statuses == [-70_411])
            let taken = try await controller.put([CharacteristicWriteItem(address, value: 2, authData: "AQID")])
            #expect(taken.status == 204)
            #expect(try await controller.value(of: id) == 3)
        }
    }

    @Test func aWriteResponseReturnsWhatTheHandlerReturned() async throws {
        let handler = CharacteristicHandler(onWrite: { _, _ in 42 })
        let references = [TestAccessory.writeResponse, TestAccessory.first].map(Self.reference)
        let handlers = Dictionary(uniqueKeysWithValues: references.map { ($0, handler) })
        try await TestServer.run(handlers: handlers) { server in
            let controller = try await server.session()
            let (response, first) = (
                try await server.id(TestAccessory.writeResponse), try await server.id(TestAccessory.first)
            )
            let items = [response, first]
                .map { CharacteristicWriteItem(CharacteristicAddress($0), value: 2, r: true) }
            let answer = try await controller.put(items)
            #expect(answer.status == 207)
            #expect(answer.statuses == [0, -70_405])
            #expect(answer.values == [response: 42])
        }
    }

    @Test func handlersOfOneRequestRunConcurrently() async throws {
        let (one, two) = (Gate(), Gate())
        let handlers = [
            Self.reference(TestAccessory.first): CharacteristicHandler(onRead: {
                await one.open()
                await two.waitUntilOpen()
                return 11
            }),
            Self.reference(TestAccessory.second): CharacteristicHandler(onRead: {
                await two.open()
                await one.waitUntilOpen()
                return 12
            }),
        ]
        try await TestServer.run(handlers: handlers) { server in
            let controller = try await server.session()
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            let answer = try await controller.get([first, second])
            #expect(answer.status == 200)
            #expect(answer.values == [first: 11, second: 12])
        }
    }

    @Test func timedOutHandlerFailsItsItemAndItsLateValueIsStored() async throws {
        let gate = Gate()
        let handler = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 77
        })
        let limits = HandlerLimits(warningDelay: .milliseconds(10), timeout: .milliseconds(50))
        try await TestServer.run(
            handlers: [Self.reference(TestAccessory.first): handler],
            configuration: .testing.with(\.handlerLimits, limits)
        ) { server in
            let (controller, other) = (try await server.session(), try await server.session())
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            try await other.subscribe(to: first)
            let answer = try await controller.get([first, second])
            #expect(answer.status == 207)
            #expect(answer.statuses == [-70_408, 0])
            #expect(server.journal.events.contains(.handlerSlow(first)))
            #expect(server.journal.events.contains(.handlerTimedOut(first)))
            // While that call is still running, the server does not call the handler again.
            #expect(try await controller.get([first, second]).statuses == [-70_403, 0])
            await gate.open()
            #expect(try await other.eventValues() == [first: 77])
            #expect(await server.server.value(of: first) == 77)
        }
    }

    @Test func lateWriteStillTakesEffect() async throws {
        let gate = Gate()
        let handler = CharacteristicHandler(onWrite: { _, _ in
            await gate.waitUntilOpen()
            return nil
        })
        let limits = HandlerLimits(warningDelay: .milliseconds(10), timeout: .milliseconds(50))
        try await TestServer.run(
            handlers: [Self.reference(TestAccessory.first): handler],
            configuration: .testing.with(\.handlerLimits, limits)
        ) { server in
            let (controller, other) = (try await server.session(), try await server.session())
            let first = try await server.id(TestAccessory.first)
            try await other.subscribe(to: first)
            #expect(try await controller.put(5, to: first).statuses == [-70_408])
            #expect(await server.server.value(of: first) == 1)
            await gate.open()
            #expect(try await other.eventValues() == [first: 5])
        }
    }

    @Test func slowHandlerBlocksOnlyItsConnection() async throws {
        let gate = Gate()
        let handler = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 2
        })
        try await TestServer.run(handlers: [Self.reference(TestAccessory.first): handler]) { server in
            let (slow, quick) = (try await server.session(), try await server.session())
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            // Both requests arrive together: the second one is answered right after the first, without further input.
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            let message = HTTPRequest(.get, .characteristics, query: read.query).message
            try await slow.send(message + HTTPRequest(.get, path: "/nothing").message)
            #expect(try await quick.value(of: second) == 1)
            await gate.open()
            #expect(try await slow.response().values == [first: 2])
            #expect(try await slow.response().status == 404)
        }
    }

    @Test func requestSurvivesTheRemovalOfItsCharacteristic() async throws {
        let gate = Gate()
        let slow = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 2
        })
        let reference = CharacteristicKey(accessory: TestAccessory.key, service: ServiceKey(.lightbulb), type: .on)
        let handlers = [reference: slow, Self.reference(TestAccessory.first): slow]
        try await TestServer.run(handlers: handlers) { server in
            let controller = try await server.session()
            let (lamp, first, second) = (
                try await server.lamp, try await server.id(TestAccessory.first),
                try await server.id(TestAccessory.second)
            )
            let read = CharacteristicReadRequest([lamp, first, second].map(CharacteristicAddress.init))
            try await controller.send(HTTPRequest(.get, .characteristics, query: read.query))
            try await server.journal.waitForEvent { event in
                if case .requestReceived(_, .get, "/characteristics") = event { true } else { false }
            }
            try await server.server.replaceAccessories(with: [TestAccessory.accessory(hasLamp: false)])
            await gate.open()
            let answer = try await controller.response()
            #expect(answer.status == 207)
            #expect(answer.statuses == [-70_409, 0, 0])
            #expect(answer.values == [first: 2, second: 1])
        }
    }
}
