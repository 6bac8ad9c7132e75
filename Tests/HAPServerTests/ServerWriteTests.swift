import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Writes of the program that serves: scenes and automations.
@Suite struct ServerWriteTests {
    @Test func writeNotifiesAllSubscribers() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let first = try await server.id(TestAccessory.first)
            try await controller.subscribe(to: first)
            #expect(await server.server.write([CharacteristicWrite(first, 2)]) == [.success])
            #expect(try await controller.eventValues() == [first: 2])
            #expect(server.journal.events.contains(.valueChanged(first, TestAccessory.first, 2, by: .program)))
        }
    }

    @Test func eachItemHasItsOwnStatus() async throws {
        try await TestServer.run { server in
            let (first, readOnly) = (
                try await server.id(TestAccessory.first), try await server.id(TestAccessory.readOnly)
            )
            let (timed, adminOnly) = (
                try await server.id(TestAccessory.timed), try await server.id(TestAccessory.adminOnly)
            )
            let absent = try #require(CharacteristicID(99, 1))
            let statuses = await server.server.write([
                CharacteristicWrite(readOnly, 1), CharacteristicWrite(first, "x"), CharacteristicWrite(absent, 1),
                CharacteristicWrite(timed, 3), CharacteristicWrite(adminOnly, 4),
            ])
            #expect(statuses == [.readOnly, .invalidValue, .doesNotExist, .success, .success])
            #expect(await server.server.value(of: timed) == 3)
            #expect(await server.server.value(of: adminOnly) == 4)
        }
    }

    @Test func writeCallsTheHandlerWhichMayRefuse() async throws {
        let reference = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        let handler = CharacteristicHandler(onWrite: { value, _ in
            guard value == 3 else { throw HandlerFailure(.notAllowedInCurrentState) }
            return 4
        })
        try await TestServer.run(handlers: [reference: handler]) { server in
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            #expect(
                await server.server.write([CharacteristicWrite(first, 2), CharacteristicWrite(second, 2)]) == [
                    .notAllowedInCurrentState, .success,
                ]
            )
            #expect(await server.server.write([CharacteristicWrite(first, 3)]) == [.success])
            #expect(await server.server.value(of: first) == 4)
            #expect(await server.server.value(of: second) == 2)
        }
    }

    @Test func hangingHandlerFailsItsOwnItem() async throws {
        let reference = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        let gate = Gate()
        let handler = CharacteristicHandler(onWrite: { _, _ in
            await gate.waitUntilOpen()
            return nil
        })
        try await TestServer.run(handlers: [reference: handler]) { server in
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            async let statuses = server.server.write([CharacteristicWrite(first, 2), CharacteristicWrite(second, 2)])
            try await server.journal.waitForEvent { $0 == .valueChanged(second, TestAccessory.second, 2, by: .program) }
            try await server.server.timeOutLastHandler()
            #expect(await statuses == [.timedOut, .success])
        }
        await gate.open()
    }

    @Test(.timeLimit(.minutes(1))) func writeWaitingForAHandlerEndsWhenTheServerStops() async throws {
        let reference = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        let gate = Gate()
        let handler = CharacteristicHandler(
            onRead: {
                await gate.waitUntilOpen()
                return 1
            },
            onWrite: { _, _ in
                await gate.waitUntilOpen()
                return nil
            }
        )
        let configuration = ServerConfiguration.testing.with(\.handlerLimits.timeout, .milliseconds(200))
        try await TestServer.run(handlers: [reference: handler], configuration: configuration) { server in
            let controller = try await server.session()
            let first = try await server.id(TestAccessory.first)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            try await controller.send(HTTPRequest(.get, .characteristics, query: read.query))
            try await server.journal.waitForEvent { event in
                if case .requestReceived(_, .get, "/characteristics") = event { true } else { false }
            }
            async let stopped: Void = server.server.stop()
            try await server.journal.waitForEntry { $0 == .stopped }
            let statuses = await server.server.write([CharacteristicWrite(first, 2)])
            #expect(statuses == [.unableToPerform] || statuses == [.timedOut])
            await stopped
        }
        await gate.open()
    }
}
