import AccessoryModel
import HAPCore
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import HAPServer

/// How a server ends.
///
/// HAP: §16 (shutdown)
@Suite struct StopTests {
    /// Both ways to stop: directly, and by a graceful shutdown of the service group.
    @Test(arguments: [false, true]) func stopCompletesPendingRequestsSavesAndWithdrawsTheAnnouncement(inGroup: Bool)
        async throws
    {
        let gate = Gate()
        let reference = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        let handler = CharacteristicHandler(onRead: {
            await gate.waitUntilOpen()
            return 2
        })
        try await TestServer.run(handlers: [reference: handler]) { server in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let group = ServiceGroup(services: inGroup ? [server.server] : [], logger: logger)
            async let running: Void = group.run()
            let (slow, idle) = (try await server.session(), try await server.session())
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            #expect(try await idle.put(9, to: second).status == 204)
            let read = CharacteristicReadRequest([CharacteristicAddress(first)])
            try await slow.send(HTTPRequest(.get, .characteristics, query: read.query))
            try await server.journal.waitForEvent { event in
                if case .requestReceived(_, .get, "/characteristics") = event { true } else { false }
            }
            async let stopped: Void = inGroup ? group.triggerGracefulShutdown() : server.server.stop()
            try await server.journal.waitForEntry { $0 == .stopped }
            // A request that arrives later is not performed, and has no response.
            let write = [CharacteristicWriteItem(CharacteristicAddress(second), value: 3)]
            try await idle.send(.write(write))
            try await slow.send(HTTPRequest(.get, .characteristics, query: read.query))
            await gate.open()
            #expect(try await slow.response().values == [first: 2])
            #expect(try await slow.messagesUntilClosed() == [])
            #expect(try await idle.messagesUntilClosed() == [])
            await stopped
            try await running
            #expect(try await server.store.attributes().values[second] == 9)
            await #expect(throws: (any Error).self) { try await server.session() }
        }
    }

    @Test func serverThatAcceptsNothingMoreStillSavesTheValuesOfItsProgram() async throws {
        try await TestServer.run { server in
            let session = try await server.session()
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            #expect(try await session.put(4, to: first).status == 204)
            await server.server.stopAccepting()
            await #expect(throws: (any Error).self) { try await server.session() }
            #expect(await server.server.set(.integer(7), for: second))
            await server.server.stop()
            #expect(try await session.messagesUntilClosed() == [])
            let saved = try await server.store.attributes().values
            #expect(saved[first] == 4 && saved[second] == 7)
        }
    }

    @Test func stoppingServerStartsNoPolls() async throws {
        let key = CharacteristicKey(accessory: TestAccessory.key, service: ServiceKey(.lightbulb), type: .on)
        try await TestServer.run { server in
            await server.server.stop()
            await server.server.performAtomically { server in
                server.startPolls([key: PolledValue(period: .seconds(1)) { nil }])
                #expect(server.handlerRegistry.polls.period(of: key) == nil)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func sessionsWithContinuousRequestsDoNotDelayTheStop() async throws {
        var configuration = ServerConfiguration.testing
        configuration.handlerLimits.timeout = .milliseconds(500)
        let reference = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        let calls = Counter()
        let handler = CharacteristicHandler(onRead: {
            // Waits: the durations differ, so that at any time a request waits for the handler.
            try await Task.sleep(for: .milliseconds(20 + 7 * (calls.next() % 8)))
            return 2
        })
        try await TestServer.run(handlers: [reference: handler], configuration: configuration) { server in
            let first = try await server.id(TestAccessory.first)
            var readers: [TestController] = []
            for _ in 0..<8 {
                readers.append(try await server.session())
            }
            try await withThrowingTaskGroup { group in
                for reader in readers {
                    group.addTask {
                        while (try? await reader.get([first])) != nil {}
                    }
                }
                try await eventually("the handler is busy") { calls.count > 32 }
                await server.server.stop()
                try await group.waitForAll()
            }
        }
    }

    @Test func pairingInProgressFinishesBeforeTheStop() async throws {
        var configuration = ServerConfiguration.testing
        configuration.connectionLimits.stopTimeout = .seconds(60)
        try await TestServer.run(pairings: [], configuration: configuration) { server in
            let controller = try await server.connect()
            let message = PairingMessages.message((.state, [1]), (.method, [0]))
            try await controller.send(HTTPRequest(.post, .pairSetup, body: message))
            try await server.journal.waitForEvent { if case .requestReceived = $0 { true } else { false } }
            await server.server.stop()
            #expect(try await controller.messagesUntilClosed().map(\.status) == [200])
        }
    }

    @Test func slowReaderGetsItsWholeResponse() async throws {
        var configuration = ServerConfiguration.testing
        configuration.connectionLimits.stopTimeout = .seconds(60)
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection, configuration: configuration) { server in
            let slow = try await server.session()
            try await slow.requestLargeResponse(using: faultInjection)
            try await server.journal.waitForEvent { if case .faultInjected = $0 { true } else { false } }
            async let stopped: Void = server.server.stop()
            try await server.journal.waitForEntry { $0 == .stopped }
            try await slow.setReading(true)
            #expect(try await slow.response().body.count == TestController.largeResponseSize)
            #expect(try await slow.messagesUntilClosed() == [])
            await stopped
        }
    }

    @Test func controllerThatNeverReadsDoesNotDelayTheStop() async throws {
        var configuration = ServerConfiguration.testing
        configuration.connectionLimits.stopTimeout = .milliseconds(20)
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection, configuration: configuration) { server in
            let deaf = try await server.session()
            try await deaf.requestLargeResponse(using: faultInjection)
            try await server.journal.waitForEvent { if case .faultInjected = $0 { true } else { false } }
            await server.server.stop()
            #expect(try await server.closeReason() == .stopping)
        }
    }

    @Test func secondStopHasNoEffect() async throws {
        try await TestServer.run { server in
            await server.server.stop()
            await server.server.stop()
            #expect(server.journal.entries.filter { $0 == .stopped }.count == 1)
        }
    }

    @Test func cancelledTaskStopsTheRunningServer() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let running = Task { await server.server.run() }
            running.cancel()
            await running.value
            #expect(try await controller.messagesUntilClosed() == [])
        }
    }
}
