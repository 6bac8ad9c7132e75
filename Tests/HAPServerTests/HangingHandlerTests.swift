import AccessoryModel
import HAPCore
import HAPServer
import Synchronization
import TestSupport
import Testing

/// Handlers that are slow, hang or fail: each affects only its own item.
///
/// HAP: §13, §15, §0 (several slow items)
@Suite struct HangingHandlerTests {
    private static func reference(_ type: CharacteristicType) -> CharacteristicKey {
        CharacteristicKey(accessory: TestAccessory.key, service: ServiceKey(TestAccessory.service), type: type)
    }

    private static func isRead(_ event: ServerEvent) -> Bool {
        if case .requestReceived(_, .get, "/characteristics") = event { true } else { false }
    }

    @Test func ninetyNineHandlersRespondWhileOneHangs() async throws {
        let count = 100
        let types = (0..<count)
            .map { CharacteristicType(HAPUUID(high: 0x2222_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64($0))) }
        var accessory = TestAccessory.accessory()
        let service = ServiceType(HAPUUID(high: 0x2222_0000_0000_4000, low: 0x9000_0000_0000_0000))
        accessory.services.append(
            Service(
                service,
                characteristics: types.map {
                    Characteristic(
                        type: $0,
                        permissions: [.read, .write],
                        metadata: CharacteristicMetadata(format: .uint8, maximum: 200),
                        value: 7
                    )
                }
            )
        )
        let gate = Gate()
        var handlers: [CharacteristicKey: CharacteristicHandler] = [:]
        for (number, type) in types.enumerated() {
            let reference = CharacteristicKey(accessory: TestAccessory.key, service: ServiceKey(service), type: type)
            handlers[reference] = CharacteristicHandler(onRead: {
                if number == 42 {
                    await gate.waitUntilOpen()
                }
                return .number(JSONNumber(number))
            })
        }
        try await TestServer.run(
            [accessory],
            handlers: handlers
        ) { server in
            let controller = try await server.session()
            var ids: [CharacteristicID] = []
            for type in types {
                ids.append(try await server.id(type, of: service))
            }
            let read = CharacteristicReadRequest(ids.map(CharacteristicAddress.init))
            try await controller.send(HTTPRequest(.get, .characteristics, query: read.query))
            try await server.server.timeOutLastHandler()
            let response = try await controller.response()
            #expect(response.statuses == (0..<count).map { $0 == 42 ? -70_408 : 0 })
            #expect(response.values.count == 99)
            #expect(response.values[ids[99]] == 99)
            // The database has the last valid value of the characteristic whose handler hangs.
            let database = try await controller.request(HTTPRequest(.get, .accessories)).text
            #expect(database.contains("\"iid\":\(ids[42].iid.rawValue),"))
            #expect(await server.server.value(of: ids[42]) == 7)
            #expect(server.journal.events.count { if case .handlerTimedOut = $0 { true } else { false } } == 1)
            await gate.open()
        }
    }

    @Test func hangingWriteBlocksNoReadsAndNoOtherWrites() async throws {
        let gate = Gate()
        let hanging = CharacteristicHandler(
            onRead: { 5 },
            onWrite: { _, _ in
                await gate.waitUntilOpen()
                return nil
            }
        )
        let quick = CharacteristicHandler(onWrite: { _, _ in nil })
        try await TestServer.run(
            handlers: [Self.reference(TestAccessory.first): hanging, Self.reference(TestAccessory.second): quick]
        ) { server in
            let controller = try await server.session()
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            async let response = controller.put(9, to: first)
            try await server.server.timeOutLastHandler()
            #expect(try await response.statuses == [-70_408])
            let items = [first, second].map { CharacteristicWriteItem(CharacteristicAddress($0), value: 8) }
            #expect(try await controller.put(items).statuses == [-70_403, 0])
            #expect(try await controller.put(9, to: second).status == 204)
            #expect(try await controller.value(of: first) == 5)
            #expect(try await controller.value(of: second) == 9)
            await gate.open()
            try await server.journal.waitForEvent { event in
                if case .valueChanged(first, _, 9, _) = event { true } else { false }
            }
            #expect(try await controller.put(7, to: first).status == 204)
        }
    }

    @Test func aHandlerMayCallTheServer() async throws {
        let box = Mutex<AccessoryServer?>(nil)
        let other = Mutex<CharacteristicID?>(nil)
        let handler = CharacteristicHandler(
            onRead: {
                guard let server = box.withLock({ $0 }), let id = other.withLock({ $0 }) else { return 0 }
                return await server.set(33, for: id) ? 1 : 0
            },
            onWrite: { value, _ in
                guard let server = box.withLock({ $0 }), let id = other.withLock({ $0 }) else { return 0 }
                return await server.value(of: id) == value ? 1 : 0
            }
        )
        try await TestServer.run(handlers: [Self.reference(TestAccessory.first): handler]) { server in
            let controller = try await server.session()
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            box.withLock { $0 = server.server }
            other.withLock { $0 = second }
            try await controller.subscribe(to: second)
            #expect(try await controller.value(of: first) == 1)
            #expect(try await controller.eventValues() == [second: 33])
            #expect(try await controller.put(33, to: first).status == 204)
            #expect(await server.server.value(of: first) == 1)
            box.withLock { $0 = nil }
        }
    }

    @Test func controllerThatDisconnectsEarlyLeaksNothing() async throws {
        let gate = Gate()
        let handler = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 44
        })
        try await TestServer.run(handlers: [Self.reference(TestAccessory.first): handler]) { server in
            let (hasty, other) = (try await server.session(), try await server.session())
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            try await other.subscribe(to: first)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            try await hasty.send(HTTPRequest(.get, .characteristics, query: read.query))
            try await server.journal.waitForEvent(where: Self.isRead)
            try await hasty.close()
            try await server.journal.waitForEvent { if case .connectionClosed = $0 { true } else { false } }
            #expect(try await other.value(of: second) == 1)
            await gate.open()
            #expect(try await other.eventValues() == [first: 44])
        }
    }

    @Test func concurrentCallsOfOneHandlerAreLimited() async throws {
        let gate = Gate()
        let calls = Counter()
        let handler = CharacteristicHandler(onRead: {
            _ = calls.next()
            await gate.waitUntilOpen()
            return 3
        })
        try await TestServer.run(
            handlers: [Self.reference(TestAccessory.first): handler],
            configuration: .testing.with(\.handlerLimits.maximumConcurrentCalls, 4)
        ) { server in
            let first = try await server.id(TestAccessory.first)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            var waiting: [TestController] = []
            for _ in 0..<4 {
                let controller = try await server.session()
                try await controller.send(HTTPRequest(.get, .characteristics, query: read.query))
                waiting.append(controller)
            }
            try await eventually("four reads have arrived") { server.journal.events.count(where: Self.isRead) == 4 }
            let refused = try await server.session()
            #expect(try await refused.get([first]).statuses == [-70_403])
            // Closing a connection allows no further calls, because the handler is still running.
            try await refused.close()
            let another = try await server.session()
            #expect(try await another.get([first]).statuses == [-70_403])
            await gate.open()
            for controller in waiting {
                #expect(try await controller.response().values == [first: 3])
            }
            #expect(try await another.value(of: first) == 3)
            #expect(calls.next() == 6)
        }
    }

    @Test func stoppedServerIsReleasedDespiteAHangingHandler() async throws {
        let gate = Gate()
        let handler = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 1
        })
        weak var server: AccessoryServer?
        try await TestServer.run(
            handlers: [Self.reference(TestAccessory.first): handler]
        ) { test in
            server = test.server
            let controller = try await test.session()
            async let response = controller.get([try await test.id(TestAccessory.first)])
            try await test.server.timeOutLastHandler()
            #expect(try await response.statuses == [-70_408])
        }
        try await eventually("the server is given up") { server == nil }
        await gate.open()
    }
}
