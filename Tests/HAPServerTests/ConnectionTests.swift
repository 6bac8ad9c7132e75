import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Many connections at once.
///
/// HAP: §16, §0 (beyond the limit)
@Suite struct ConnectionTests {
    private static let limit = 64

    private static let pairings = [Fixture.pairing, TestServer.guestPairing]

    private static func sessions(
        _ server: TestServer,
        count: Int,
        of controller: ControllerIdentity = Fixture.controller
    ) async throws -> [TestController] {
        var sessions: [TestController] = []
        for _ in 0..<count {
            sessions.append(try await server.session(of: controller))
        }
        return sessions
    }

    @Test func sixtyFourSessionsAreServedAndTheNextConnectionIsClosed() async throws {
        try await TestServer.run(
            pairings: Self.pairings,
            configuration: .testing.with(\.maximumConnections, Self.limit)
        ) { server in
            let half = Self.limit / 2
            let sessions =
                try await Self.sessions(server, count: half)
                + Self.sessions(server, count: half, of: TestServer.guest)
            let lamp = try await server.lamp
            let newcomer = try await server.connect()
            #expect(try await newcomer.messagesUntilClosed() == [])
            try await withThrowingTaskGroup(of: JSONValue?.self) { group in
                for session in sessions {
                    group.addTask { try await session.value(of: lamp) }
                }
                var responses = 0
                for try await value in group {
                    #expect(value == 0)
                    responses += 1
                }
                #expect(responses == Self.limit)
            }
            let closings = server.journal.events
                .compactMap { if case .connectionClosed(_, let reason) = $0 { reason } else { nil } }
            #expect(closings == [.limit])
        }
    }

    @Test func controllerWithMoreThanHalfOfTheConnectionsLosesItsIdlestToANewConnection() async throws {
        try await TestServer.run(
            pairings: Self.pairings,
            configuration: .testing.with(\.maximumConnections, Self.limit)
        ) { server in
            let others = try await Self.sessions(server, count: Self.limit / 2 - 1)
            let greedy = try await Self.sessions(server, count: Self.limit / 2 + 1, of: TestServer.guest)
            let lamp = try await server.lamp
            #expect(try await greedy[0].value(of: lamp) == 0)
            let newcomer = try await server.session()
            #expect(try await greedy[1].messagesUntilClosed() == [])
            for session in [newcomer, greedy[0], others[0]] {
                #expect(try await session.value(of: lamp) == 0)
            }
        }
    }

    @Test func longestIdleUnverifiedConnectionClosesBeyondTheLimit() async throws {
        try await TestServer.run(configuration: .testing.with(\.maximumConnections, Self.limit)) { server in
            let (early, late) = (try await server.connect(), try await server.connect())
            _ = try await late.request(HTTPRequest(.get, .accessories))
            _ = try await early.request(HTTPRequest(.get, .accessories))
            let sessions = try await Self.sessions(server, count: Self.limit - 2)
            let newcomer = try await server.connect()
            #expect(try await late.messagesUntilClosed() == [])
            #expect(try await newcomer.request(HTTPRequest(.get, .accessories)).status == 470)
            #expect(try await early.request(HTTPRequest(.get, .accessories)).status == 470)
            #expect(try await sessions[0].value(of: try await server.lamp) == 0)
        }
    }

    @Test func controllerThatDoesNotReadBlocksNoOther() async throws {
        // On a slow machine, the server must not disconnect the idle controller before it reads again.
        let configuration = ServerConfiguration.testing.with(\.connectionLimits.tcpUserTimeout, .seconds(3_600))
        try await TestServer.run(configuration: configuration) { server in
            let (quick, idle) = (try await server.session(), try await server.session())
            let (lamp, data) = (try await server.lamp, try await server.id(TestAccessory.data))
            // This is more than the network buffers for a peer that does not read.
            let (size, count) = (100_000, 80)
            #expect(await server.server.set(.data([UInt8](repeating: 7, count: size)), for: data))
            try await idle.setReading(false)
            let read = CharacteristicReadRequest([CharacteristicAddress(data)])
            for _ in 0..<count {
                try await idle.send(HTTPRequest(.get, .characteristics, query: read.query))
            }
            #expect(try await quick.value(of: lamp) == 0)
            try await idle.setReading(true)
            for _ in 0..<count {
                let response = try await idle.response()
                #expect(response.status == 200)
                #expect(response.body.count > size)
            }
        }
    }
}
