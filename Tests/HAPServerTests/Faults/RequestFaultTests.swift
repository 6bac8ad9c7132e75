import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import SimulationRuntime
import TestSupport
import Testing

/// What a controller sees of faults in requests and answers, and that it sees nothing of them when they are over.
@Suite struct RequestFaultTests {
    private static let any = FaultEffect.RequestKind.any
    private static let short = Duration.milliseconds(200)

    private func elapsed(_ body: () async throws -> Void) async rethrows -> Duration {
        try await ContinuousClock().measure(body)
    }

    @Test func aLateAnswerIsLateOnlyWhereTheFaultIs() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            let lamp = try await faulty.bench.lamp
            let other = try await faulty.bench.id(Bench.first)
            await faulty.inject(.latency(Self.short...Self.short, Self.any), on: .characteristic(lamp))
            let late = try await elapsed {
                let value = try await controller.value(of: lamp)
                #expect(value == 0)
            }
            #expect(late >= Self.short)
            #expect(try await controller.value(of: other) == 1)
            #expect(faulty.told == ["latency on characteristic \(lamp) acts"])
            await faulty.faults.clear()
            #expect(try await controller.value(of: lamp) == 0)
            #expect(faulty.told.count == 2)
        }
    }

    @Test func aStatusReachesOneItemAndNothingIsWritten() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            let lamp = try await faulty.bench.lamp
            let other = try await faulty.bench.id(Bench.first)
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
            // Neither was it subscribed to.
            #expect(await faulty.bench.server.set(true, for: lamp))
            #expect(try await controller.eventsSoFar() == [])
        }
    }

    @Test func aStatusOfWritesLeavesReadsAlone() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            let lamp = try await faulty.bench.lamp
            await faulty.inject(.status(.busy, .writes), limit: FaultLimit(count: 1))
            #expect(try await controller.value(of: lamp) == 0)
            #expect(try await controller.put(true, to: lamp).statuses == [-70_403])
            #expect(try await controller.put(true, to: lamp).status == 204)
            #expect(faulty.told == ["status acts", "status over"])
        }
    }

    @Test func silenceCostsTheConnectionAndNoOther() async throws {
        try await FaultBench.run { faulty in
            let (silenced, other) = (try await faulty.bench.session(), try await faulty.bench.session())
            let lamp = try await faulty.bench.lamp
            try await silenced.subscribe(to: lamp)
            await faulty.inject(.silence(.writes), limit: FaultLimit(count: 1))
            let write = CharacteristicWriteRequest([CharacteristicWriteItem(CharacteristicAddress(lamp), value: true)])
            try await silenced.send(HTTPRequest(.put, .characteristics, body: write.body))
            try await faulty.news.waitForFact { $0 == .faultOver("silence") }
            try await silenced.send(HTTPRequest(.get, .accessories))
            #expect(try await other.value(of: lamp) == 0)
            #expect(try await other.put(true, to: lamp).status == 204)
            await faulty.bench.server.closeAllConnections()
            #expect(try await silenced.messagesUntilClosed() == [])
        }
    }

    @Test(arguments: [FaultEffect.halfResponse(.any), .resetInResponse(.any)])
    func anAnswerEndsInItsMiddle(effect: FaultEffect) async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            await faulty.inject(effect, limit: FaultLimit(count: 1))
            try await controller.send(HTTPRequest(.get, .accessories))
            if effect == .halfResponse(.any) {
                try await faulty.news.waitForFact { $0 == .faultOver("halfResponse") }
                await faulty.bench.server.closeAllConnections()
            }
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(await controller.isMidMessage)
            #expect(await controller.isReset == (effect == .resetInResponse(.any)))
            let next = try await faulty.bench.session()
            #expect(try await next.request(HTTPRequest(.get, .accessories)).status == 200)
        }
    }

    @Test func aCorruptFrameCannotBeOpened() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            await faulty.inject(.corruptFrame, limit: FaultLimit(count: 1))
            await #expect(throws: ProtocolError.self) { try await controller.request(HTTPRequest(.get, .accessories)) }
            let next = try await faulty.bench.session()
            #expect(try await next.request(HTTPRequest(.get, .accessories)).status == 200)
        }
    }

    @Test func pairSetupIsSlow() async throws {
        try await FaultBench.run { faulty in
            await faulty.inject(.slowPairSetup(Self.short))
            let controller = try await faulty.bench.connect()
            #expect(try await elapsed { _ = try await controller.startPairing() } >= Self.short)
            // Pair-verify is not.
            let told = faulty.told
            _ = try await faulty.bench.session()
            #expect(faulty.told == told)
        }
    }

    @Test func anAccessoryBehindTheBridgeIsUnreachable() async throws {
        let accessories = [Bench.accessory(), Bench.bridged(key: "Behind")]
        try await FaultBench.run(accessories) { faulty in
            let controller = try await faulty.bench.session()
            let lamp = try await faulty.bench.lamp
            let behind = try await faulty.bench.id(.on, of: .lightbulb, in: "Behind")
            try await controller.subscribe(to: behind)
            await faulty.inject(.unreachable, on: .accessory(behind.aid))
            #expect(try await controller.get([lamp, behind]).statuses == [0, -70_402])
            #expect(try await controller.put(true, to: behind).statuses == [-70_402])
            #expect(await faulty.bench.server.set(true, for: behind))
            #expect(try await controller.eventsSoFar() == [])
            await faulty.faults.clear()
            #expect(await faulty.bench.server.set(false, for: behind))
            #expect(try await controller.eventValues() == [behind: 0])
        }
    }

    @Test func aDurationIsThatOfTheSimulation() async throws {
        try await FaultBench.run { faulty in
            let controller = try await faulty.bench.session()
            let lamp = try await faulty.bench.lamp
            await faulty.inject(.status(.busy, Self.any), limit: FaultLimit(duration: .seconds(3_600)))
            #expect(try await controller.get([lamp]).statuses == [-70_403])
            await faulty.pass(.seconds(3_599))
            #expect(try await controller.get([lamp]).statuses == [-70_403])
            await faulty.pass(.seconds(1))
            #expect(try await controller.value(of: lamp) == 0)
            #expect(faulty.told.last == "status over")
        }
    }
}
