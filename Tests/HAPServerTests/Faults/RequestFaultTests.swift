import AccessoryModel
import HAPCore
import HAPServer
import Hosting
import Simulation
import TestSupport
import Testing

/// Faults in requests and responses have their effects, and the effects end with the faults.
@Suite struct RequestFaultTests {
    private static let any = FaultEffect.RequestKind.any
    private static let short = Duration.milliseconds(200)

    private func elapsed(_ body: () async throws -> Void) async rethrows -> Duration {
        try await ContinuousClock().measure(body)
    }

    @Test func responseIsDelayedOnlyInScope() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            let other = try await faulty.testServer.id(TestAccessory.first)
            await faulty.inject(.latency(Self.short...Self.short, Self.any), on: .characteristic(lamp))
            let late = try await elapsed {
                let value = try await controller.value(of: lamp)
                #expect(value == 0)
            }
            #expect(late >= Self.short)
            #expect(try await controller.value(of: other) == 1)
            #expect(faulty.reportedEvents == ["latency on characteristic \(lamp) acts"])
            await faulty.faults.clear()
            #expect(try await controller.value(of: lamp) == 0)
            #expect(faulty.reportedEvents.count == 2)
        }
    }

    @Test func statusAppliesToOneItemAndPreventsTheWrite() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            let other = try await faulty.testServer.id(TestAccessory.first)
            await faulty.inject(.status(.timedOut, Self.any), on: .characteristic(lamp))
            let read = try await controller.get([lamp, other])
            #expect(read.status == 207)
            #expect(read.statuses == [-70_408, 0])
            let write = try await controller.put([
                CharacteristicWriteItem(CharacteristicAddress(lamp), value: true, ev: true),
                CharacteristicWriteItem(CharacteristicAddress(other), value: 7),
            ])
            #expect(write.status == 207)
            #expect(write.statuses == [-70_408, 0])
            await faulty.faults.clear()
            let after = try await controller.get([lamp, other])
            #expect(after.status == 200)
            #expect(after.values == [lamp: 0, other: 7])
            // The refused write did not subscribe the controller, either.
            #expect(await faulty.testServer.server.set(true, for: lamp))
            #expect(try await controller.eventsUntilNextResponse() == [])
        }
    }

    @Test func writeStatusLeavesReadsUnchanged() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            await faulty.inject(.status(.busy, .writes), limit: FaultLimit(count: 1))
            #expect(try await controller.value(of: lamp) == 0)
            #expect(try await controller.put(true, to: lamp).statuses == [-70_403])
            #expect(try await controller.put(true, to: lamp).status == 204)
            #expect(faulty.reportedEvents == ["status acts", "status over"])
        }
    }

    @Test func requestWithoutResponseClosesOnlyItsConnection() async throws {
        try await FaultTestServer.run { faulty in
            let (silenced, other) = (try await faulty.testServer.session(), try await faulty.testServer.session())
            let lamp = try await faulty.testServer.lamp
            try await silenced.subscribe(to: lamp)
            await faulty.inject(.silence(.writes), limit: FaultLimit(count: 1))
            let write = CharacteristicWriteRequest([CharacteristicWriteItem(CharacteristicAddress(lamp), value: true)])
            try await silenced.send(HTTPRequest(.put, .characteristics, body: write.body))
            try await faulty.events.waitForEvent { $0 == .faultFinished("silence") }
            try await silenced.send(HTTPRequest(.get, .accessories))
            #expect(try await other.value(of: lamp) == 0)
            #expect(try await other.put(true, to: lamp).status == 204)
            await faulty.testServer.server.closeAllConnections()
            #expect(try await silenced.messagesUntilClosed() == [])
        }
    }

    @Test(arguments: [FaultEffect.halfResponse(.any), .resetInResponse(.any)])
    func responseEndsInTheMiddle(effect: FaultEffect) async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            await faulty.inject(effect, limit: FaultLimit(count: 1))
            try await controller.send(HTTPRequest(.get, .accessories))
            if effect == .halfResponse(.any) {
                try await faulty.events.waitForEvent { $0 == .faultFinished("halfResponse") }
                await faulty.testServer.server.closeAllConnections()
            }
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(await controller.isMidMessage)
            #expect(await controller.isReset == (effect == .resetInResponse(.any)))
            let next = try await faulty.testServer.session()
            #expect(try await next.request(HTTPRequest(.get, .accessories)).status == 200)
        }
    }

    @Test func aCorruptFrameCannotBeOpened() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            await faulty.inject(.corruptFrame, limit: FaultLimit(count: 1))
            await #expect(throws: ProtocolError.self) { try await controller.request(HTTPRequest(.get, .accessories)) }
            let next = try await faulty.testServer.session()
            #expect(try await next.request(HTTPRequest(.get, .accessories)).status == 200)
        }
    }

    @Test func pairSetupIsSlow() async throws {
        try await FaultTestServer.run { faulty in
            await faulty.inject(.slowPairSetup(Self.short))
            let controller = try await faulty.testServer.connect()
            #expect(try await elapsed { _ = try await controller.startPairing() } >= Self.short)
            // The fault does not apply to pair-verify.
            let reported = faulty.reportedEvents
            _ = try await faulty.testServer.session()
            #expect(faulty.reportedEvents == reported)
        }
    }

    @Test func anAccessoryBehindTheBridgeIsUnreachable() async throws {
        let accessories = [TestAccessory.accessory(), TestAccessory.bridged(key: "Behind")]
        try await FaultTestServer.run(accessories) { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            let behind = try await faulty.testServer.id(.on, of: .lightbulb, in: "Behind")
            try await controller.subscribe(to: behind)
            await faulty.inject(.unreachable, on: .accessory(behind.aid))
            #expect(try await controller.get([lamp, behind]).statuses == [0, -70_402])
            #expect(try await controller.put(true, to: behind).statuses == [-70_402])
            #expect(await faulty.testServer.server.set(true, for: behind))
            #expect(try await controller.eventsUntilNextResponse() == [])
            await faulty.faults.clear()
            #expect(await faulty.testServer.server.set(false, for: behind))
            #expect(try await controller.eventValues() == [behind: 0])
        }
    }

    @Test func durationUsesSimulatedTime() async throws {
        try await FaultTestServer.run { faulty in
            let controller = try await faulty.testServer.session()
            let lamp = try await faulty.testServer.lamp
            await faulty.inject(.status(.busy, Self.any), limit: FaultLimit(duration: .seconds(3_600)))
            #expect(try await controller.get([lamp]).statuses == [-70_403])
            await faulty.advance(by: .seconds(3_599))
            #expect(try await controller.get([lamp]).statuses == [-70_403])
            await faulty.advance(by: .seconds(1))
            #expect(try await controller.value(of: lamp) == 0)
            #expect(faulty.reportedEvents.last == "status over")
        }
    }
}
