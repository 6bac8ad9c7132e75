import AccessoryModel
import HAPCore
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import HAPServer

/// Peers that open many connections, keep them open, or never complete a request.
///
/// HAP: §16, §0 (beyond the limit)
@Suite struct LoadSheddingTests {
    private static let limit = 64
    private static let nothing = HTTPRequest(.get, path: "/nothing")
    private static let verifyM1 = HTTPRequest(
        .post,
        .pairVerify,
        body: PairingMessages.message((.state, [1]), (.publicKey, Array(1...32)))
    )

    private static func configuration(_ change: (inout ConnectionLimits) -> Void) -> ServerConfiguration {
        var configuration = ServerConfiguration.testing
        change(&configuration.connectionLimits)
        return configuration
    }

    private static func closings(_ server: TestServer) -> [CloseReason] {
        server.journal.events.compactMap { if case .connectionClosed(_, let reason) = $0 { reason } else { nil } }
    }

    private static func isBusy(_ event: ServerEvent) -> Bool {
        if case .pairSetupRefused(_, .busy, _) = event { true } else { false }
    }

    // MARK: Number of connections

    @Test func newSessionSucceedsDespiteManyOpenConnections() async throws {
        try await TestServer.run(configuration: .testing.with(\.maximumConnections, Self.limit)) { server in
            let session = try await server.session()
            var crowd: [TestController] = []
            for _ in 0..<(3 * Self.limit) {
                crowd.append(try await server.connect())
            }
            let newcomer = try await server.session()
            let lamp = try await server.lamp
            #expect(try await newcomer.value(of: lamp) == 0)
            #expect(try await session.value(of: lamp) == 0)
            try await eventually("the connections are closed") {
                Self.closings(server).count >= 2 * Self.limit + 2
            }
            #expect(Self.closings(server).allSatisfy { $0 == .limit })
        }
    }

    @Test func addressWithMostConnectionsLosesOneBeyondTheLimit() async throws {
        try await TestServer.run(configuration: .testing.with(\.maximumConnections, Self.limit)) { server in
            let lonely = try await server.connect(from: "127.0.0.2")
            #expect(try await lonely.request(Self.nothing).status == 470)
            let first = try await server.connect()
            #expect(try await first.request(Self.nothing).status == 470)
            for _ in 0..<(2 * Self.limit) {
                _ = try await server.connect()
            }
            #expect(try await first.messagesUntilClosed() == [])
            #expect(try await lonely.request(Self.nothing).status == 470)
        }
    }

    @Test func connectionInPairSetupIsKept() async throws {
        try await TestServer.run(
            pairings: [],
            configuration: .testing.with(\.maximumConnections, Self.limit)
        ) { server in
            let controller = try await server.connect()
            _ = try await controller.pair {
                for _ in 0..<(2 * Self.limit) {
                    _ = try await server.connect()
                }
            }
            #expect(try await server.storedPairings.count == 1)
        }
    }

    // MARK: Time

    @Test(arguments: [(false, 10), (true, 60)])
    func incompleteRequestTimesOut(isSession: Bool, seconds: Int) async throws {
        try await TestServer.run { server in
            let controller = isSession ? try await server.session() : try await server.connect()
            let other = try await server.session()
            try await controller.send(Array("PUT /prepare HTTP/1.1\r\nContent-Length: 9\r\n\r\n12345678".utf8))
            try await server.server.inspectConnections(whenReceiving: true, afterSeconds: [0, seconds / 2])
            #expect(Self.closings(server) == [])
            try await server.server.inspectConnections(afterSeconds: [seconds + 60])
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(try await server.closeReason() == .timeLimit)
            #expect(try await other.value(of: try await server.lamp) == 0)
        }
    }

    @Test func incompleteFrameTimesOut() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            try await controller.sendRaw([0, 4, 1, 2, 3])
            try await server.server.inspectConnections(whenReceiving: true, afterSeconds: [0, 61])
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(try await server.closeReason() == .timeLimit)
        }
    }

    @Test func slowButCompleteRequestIsServed() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let message = Array("PUT /prepare HTTP/1.1\r\nContent-Length: 2\r\n\r\n{".utf8)
            for begin in [0, 100, 200] {
                // The second inspection is within the time limit, which starts at the first inspection after the
                // request has begun, and not at the start of the session.
                try await controller.send(message)
                try await server.server.inspectConnections(whenReceiving: true, afterSeconds: [begin, begin + 30])
                try await controller.send(Array("}".utf8))
                #expect(try await controller.response().status == 400)
                try await server.server.inspectConnections(afterSeconds: [begin + 99])
            }
        }
    }

    @Test func silentConnectionClosesAndSilentSessionStays() async throws {
        try await TestServer.run { server in
            let (session, silent) = (try await server.session(), try await server.connect())
            let halfOpen = try await server.connect()
            #expect(try await halfOpen.request(Self.verifyM1).status == 200)
            try await server.server.inspectConnections(afterSeconds: [30])
            #expect(Self.closings(server) == [])
            try await server.server.inspectConnections(afterSeconds: [61, 1_000_000])
            #expect(try await silent.messagesUntilClosed() == [])
            #expect(try await halfOpen.messagesUntilClosed() == [])
            #expect(try await session.value(of: try await server.lamp) == 0)
        }
    }

    @Test func connectionInPairSetupHasALongerTimeout() async throws {
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect()
            #expect(try await controller.startPairing() == nil)
            try await server.server.inspectConnections(afterSeconds: [61, 200])
            #expect(try await controller.startPairing() == nil)
            try await server.server.inspectConnections(afterSeconds: [301])
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(try await server.closeReason() == .timeLimit)
        }
    }

    @Test func peerThatReceivesNothingIsDisconnected() async throws {
        let configuration = Self.configuration { $0.tcpUserTimeout = .milliseconds(300) }
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection, configuration: configuration) { server in
            let deaf = try await server.session()
            try await deaf.requestLargeResponse(using: faultInjection)
            let reason = try await server.closeReason()
            guard case .network? = reason else {
                Issue.record("the connection was not lost, but closed: \(String(describing: reason))")
                return
            }
        }
    }

    enum SessionState: CaseIterable {
        case none
        case silentSession
        case activeSession
    }

    @Test(arguments: SessionState.allCases)
    func unverifiedConnectionYieldsToAnActiveSession(sessionState: SessionState) async throws {
        try await TestServer.run { server in
            let session = sessionState == .none ? nil : try await server.session()
            if sessionState == .activeSession {
                #expect(try await session?.value(of: try await server.lamp) == 0)
            }
            let (one, two) = (try await server.connect(), try await server.connect())
            #expect(try await one.request(Self.nothing).status == 470)
            let begin = ContinuousClock.now
            await server.server.addUnverifiedTime(.milliseconds(300))
            #expect(try await two.request(Self.nothing).status == 470)
            if sessionState == .activeSession {
                #expect(begin.duration(to: .now) > .milliseconds(300))
            }
            #expect(await server.server.activeSessionCount == (sessionState == .activeSession ? 1 : 0))
            if let session {
                #expect(try await session.value(of: try await server.lamp) == 0)
                #expect(await server.server.activeSessionCount == 1)
            }
        }
    }

    @Test func connectionWithManyRequestsYieldsAfterAFew() throws {
        let (channel, handler, delegate) = try EmbeddedChannel.serving()
        let turn = AccessoryChannelHandler.requestsPerTurn
        let message = (0..<(2 * turn + 1)).flatMap { _ in Self.nothing.message }
        try channel.writeInbound(ByteBuffer(bytes: message))
        #expect(delegate.counts == CountingDelegate.Counts(requests: turn, yields: 1))
        handler.resume()
        #expect(delegate.counts == CountingDelegate.Counts(requests: 2 * turn, yields: 2))
        handler.resume()
        #expect(delegate.counts == CountingDelegate.Counts(requests: 2 * turn + 1, yields: 2))
        handler.resume()
        try channel.writeInbound(ByteBuffer(bytes: Self.nothing.message))
        #expect(delegate.counts == CountingDelegate.Counts(requests: 2 * turn + 2, yields: 2))
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func connectionWithLongResponsesYieldsAfterAFew() throws {
        let size = LongMessage.partSize / 2 - 1_000
        let (channel, handler, delegate) = try EmbeddedChannel.serving(
            response: .json(.ok, [UInt8](repeating: 32, count: size))
        )
        let message = (0..<7).flatMap { _ in Self.nothing.message }
        try channel.writeInbound(ByteBuffer(bytes: message))
        #expect(delegate.counts == CountingDelegate.Counts(requests: 3, yields: 1))
        handler.resume()
        #expect(delegate.counts == CountingDelegate.Counts(requests: 6, yields: 2))
        handler.resume()
        #expect(delegate.counts == CountingDelegate.Counts(requests: 7, yields: 2))
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func unverifiedConnectionsUseHalfOfTheTimeInSeparateTurns() {
        var pace = UnverifiedRateLimiter()
        let begin = MonotonicInstant.zero
        #expect(pace.nextStart < begin)
        let long = begin.advanced(by: .microseconds(200))
        pace.recordWork(from: begin, to: long)
        #expect(pace.nextStart == begin.advanced(by: .microseconds(400)))
        pace.recordWork(from: long, to: long)
        #expect(pace.nextStart == long.advanced(by: UnverifiedRateLimiter.minimumPause))
    }

    // MARK: Memory

    @Test(arguments: [false, true])
    func unfinishedRequestsShareALimit(isSession: Bool) async throws {
        let configuration = Self.configuration {
            $0.unfinishedBytes = isSession ? 0 : 30_000
            $0.sessionUnfinishedBytes = isSession ? 30_000 : 0
        }
        try await TestServer.run(configuration: configuration) { server in
            let path = isSession ? "/prepare" : "/pair-verify"
            let head = Array("\(isSession ? "PUT" : "POST") \(path) HTTP/1.1\r\nContent-Length: 16000\r\n\r\n".utf8)
            func connect() async throws -> TestController {
                isSession ? try await server.session() : try await server.connect()
            }
            let (one, two, three) = (try await connect(), try await connect(), try await connect())
            try await one.send(head + [UInt8](repeating: 0, count: 15_900))
            try await two.send(head + [UInt8](repeating: 0, count: 15_900))
            // The later one of the two exceeded the limit; other connections are not affected.
            try await server.journal.waitForEvent { if case .connectionClosed = $0 { true } else { false } }
            guard case .protocolViolation(let error)? = Self.closings(server).first else {
                Issue.record("the connection was not closed for a fault")
                return
            }
            #expect(error.code == .tooLarge)
            let small = Array("\(isSession ? "PUT" : "POST") \(path) HTTP/1.1\r\nContent-Length: 10000\r\n\r\n".utf8)
            try await three.send(small + [UInt8](repeating: 0, count: 5_000))
            try await three.send([UInt8](repeating: 0, count: 5_000))
            #expect(try await three.response().status == 400)
            #expect(Self.closings(server).count == 1)
        }
    }

    @Test func closedConnectionReleasesItsBudget() {
        let budget = ByteBudget(limit: 20_000)
        var (one, two) = (0, 0)
        #expect(budget.update(&one, to: 15_000))
        #expect(!budget.update(&two, to: 15_000))
        #expect(budget.update(&two, to: 0))
        #expect(budget.usedBytes == 15_000)
        #expect(budget.update(&one, to: ByteBudget.uncountedBytes))
        #expect(budget.usedBytes == 0)
    }

    // MARK: Pair-setup

    @Test func unfinishedPairSetupIsTakenOver() async throws {
        let configuration = Self.configuration { $0.pairSetupShortTurnTime = .zero }
        try await TestServer.run(pairings: [], configuration: configuration) { server in
            let (owner, other) = (try await server.connect(), try await server.connect())
            #expect(try await owner.startPairing() == nil)
            _ = try await other.pair()
            let late = PairingMessages.message(
                (.state, [3]),
                (.publicKey, [UInt8](repeating: 7, count: 384)),
                (.proof, [UInt8](repeating: 7, count: 64))
            )
            #expect(try await owner.request(HTTPRequest(.post, .pairSetup, body: late)).status == 400)
            #expect(try await server.storedPairings.count == 1)
        }
    }

    /// Eight connections of one host repeat M1 all the time, and have had their turn.
    ///
    /// The other host then gets a long turn, until its user has typed the setup code.
    @Test func hostThatRepeatsM1BlocksNoOtherHostFromPairing() async throws {
        let configuration = Self.configuration {
            $0.pairSetupShortTurnTime = .zero
            $0.pairSetupTurnTime = .seconds(3_600)
        }
        try await TestServer.run(pairings: [], configuration: configuration) { server in
            var crowd: [TestController] = []
            for _ in 0..<8 {
                crowd.append(try await server.connect())
            }
            let honest = try await server.connect(from: "127.0.0.2")
            for controller in crowd + crowd + crowd {
                #expect(try await controller.startPairing() == nil)
            }
            let journal = server.journal
            try await withThrowingTaskGroup(of: Void.self) { [crowd] group in
                for controller in crowd {
                    group.addTask {
                        while !Task.isCancelled { _ = try await controller.startPairing() }
                    }
                }
                while try await honest.startPairing() == .busy {}
                _ = try await honest.pair(beforeM3: {
                    let refusals = journal.events.count(where: Self.isBusy)
                    try await journal.waitForEntry { _ in
                        journal.events.count(where: Self.isBusy) > refusals + 10 * crowd.count
                    }
                })
                group.cancelAll()
            }
            #expect(try await server.storedPairings.count == 1)
        }
    }

    @Test func secondControllerWaitsForTheOneThatPairs() async throws {
        try await TestServer.run(pairings: []) { server in
            let (owner, other) = (try await server.connect(), try await server.connect())
            #expect(try await owner.startPairing() == nil)
            #expect(try await other.startPairing() == .busy)
            try await owner.close()
            try await server.journal.waitForEvent { if case .connectionClosed = $0 { true } else { false } }
            #expect(try await other.startPairing() == nil)
        }
    }

    @Test func wrongProofOfAClosedConnectionIsCountedBeforeTheNextAttempt() async throws {
        let (isCounting, mayCount) = (Gate(), Gate())
        let configuration = Self.configuration { $0.pairSetupShortTurnTime = .zero }
        try await TestServer.run(pairings: [], configuration: configuration) { server in
            await server.store.delayChanges { _ in
                await isCounting.open()
                await mayCount.waitUntilOpen()
            }
            let (hasty, other) = (try await server.connect(), try await server.connect())
            #expect(try await hasty.startPairing() == nil)
            let wrong = PairingMessages.message(
                (.state, [3]),
                (.publicKey, [UInt8](repeating: 7, count: 384)),
                (.proof, [UInt8](repeating: 7, count: 64))
            )
            try await hasty.send(HTTPRequest(.post, .pairSetup, body: wrong))
            await isCounting.waitUntilOpen()
            try await hasty.close()
            try await server.journal.waitForEvent { if case .connectionClosed = $0 { true } else { false } }
            #expect(try await other.startPairing() == .busy)
            await mayCount.open()
            try await server.journal.waitForEntry { $0 == .stored(.countFailedProof) }
            while try await other.startPairing() == .busy {}
            #expect(await server.server.records.pairings.failedProofs == 1)
        }
    }
}
