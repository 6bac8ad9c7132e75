import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Writes of the program that serves: scenes and automations.
@Suite struct ProgramWriteTests {
    @Test func itWritesAndEverySubscriberIsTold() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let first = try await server.id(Bench.first)
            try await controller.subscribe(to: first)
            #expect(await server.server.write([CharacteristicWrite(first, 2)]) == [.success])
            #expect(try await controller.eventValues() == [first: 2])
            #expect(server.journal.facts.contains(.valueChanged(first, Bench.first, 2, by: .program)))
        }
    }

    @Test func eachItemHasAStatusOfItsOwn() async throws {
        try await TestServer.run { server in
            let (first, readOnly) = (try await server.id(Bench.first), try await server.id(Bench.readOnly))
            let (timed, adminOnly) = (try await server.id(Bench.timed), try await server.id(Bench.adminOnly))
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

    @Test func aHandlerIsAskedAndMayRefuse() async throws {
        let reference = CharacteristicKey(
            accessory: Bench.key,
            service: ServiceKey(Bench.service),
            type: Bench.first
        )
        let handler = CharacteristicHandler(onWrite: { value, _ in
            guard value == 3 else { throw HandlerFailure(.notAllowedInCurrentState) }
            return 4
        })
        try await TestServer.run(handlers: [reference: handler]) { server in
            let (first, second) = (try await server.id(Bench.first), try await server.id(Bench.second))
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

    @Test func aHandlerThatNeverAnswersCostsItsOwnItem() async throws {
        let reference = CharacteristicKey(
            accessory: Bench.key,
            service: ServiceKey(Bench.service),
            type: Bench.first
        )
        let gate = Gate()
        let handler = CharacteristicHandler(onWrite: { _, _ in
            await gate.waitUntilOpen()
            return nil
        })
        try await TestServer.run(handlers: [reference: handler]) { server in
            let (first, second) = (try await server.id(Bench.first), try await server.id(Bench.second))
            async let statuses = server.server.write([CharacteristicWrite(first, 2), CharacteristicWrite(second, 2)])
            try await server.journal.waitForFact { $0 == .valueChanged(second, Bench.second, 2, by: .program) }
            try await server.server.giveUpOnLastHandler()
            #expect(await statuses == [.timedOut, .success])
        }
        await gate.open()
    }

    @Test(.timeLimit(.minutes(1))) func aWriteThatWaitsForAHandlerEndsWithTheServer() async throws {
        let reference = CharacteristicKey(
            accessory: Bench.key,
            service: ServiceKey(Bench.service),
            type: Bench.first
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
        let configuration = ServerConfiguration.bench.with(\.handlerLimits.timeout, .milliseconds(200))
        try await TestServer.run(handlers: [reference: handler], configuration: configuration) { server in
            let controller = try await server.session()
            let first = try await server.id(Bench.first)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            try await controller.send(HTTPRequest(.get, .characteristics, query: read.query))
            try await server.journal.waitForFact { fact in
                if case .requestReceived(_, .get, "/characteristics") = fact { true } else { false }
            }
            async let stopped: Void = server.server.stop()
            try await server.journal.waitForEntry { $0 == .withdrawn }
            let statuses = await server.server.write([CharacteristicWrite(first, 2)])
            #expect(statuses == [.unableToPerform] || statuses == [.timedOut])
            await stopped
        }
        await gate.open()
    }
}
