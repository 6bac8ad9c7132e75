import AccessoryModel
import HAPCore
import HAPServer
import NIOPosix
import TestSupport
import Testing

/// Each kind of fault has the documented effect at each point, and no other effect.
@Suite struct FaultInjectionTests {
    private static let other = HTTPMessage(.response, status: 503)
    private static let otherBytes = Array("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n".utf8)
    private static let shortDelay = FaultDecision.delay(.milliseconds(50))

    /// Calls `body` with a session, after scheduling the decision for the next point that matches.
    private func run(
        _ decision: FaultDecision,
        where matches: @escaping @Sendable (FaultInjectionPoint) -> Bool,
        body: (TestServer, TestController) async throws -> Void
    ) async throws {
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection) { server in
            let controller = try await server.session()
            faultInjection.injectOnce(decision, where: matches)
            try await body(server, controller)
            let faultInjections = server.journal.events
                .filter { if case .faultInjected = $0 { true } else { false } }
            #expect(faultInjections.count == (decision == .proceed ? 0 : 1))
        }
    }

    private static let first = HTTPRequest(.get, path: "/nothing")
    private static let second = HTTPRequest(.get, path: "/prepare")

    /// Decisions about the first of two responses, each with the statuses that the controller then receives.
    static let responses: [(FaultDecision, [Int])] = [
        (.proceed, [404, 405]), (shortDelay, [404, 405]), (.drop, [405]), (.duplicate, [404, 404, 405]),
        (.replace(otherBytes), [503, 405]), (.reset, []),
    ]

    @Test(arguments: responses.indices)
    func responseFaultIsApplied(index: Int) async throws {
        let (decision, statuses) = Self.responses[index]
        try await sendTwoRequests(decision, where: \.isResponse, expecting: statuses)
    }

    static let requests: [(FaultDecision, [Int])] = [
        (.proceed, [404, 405]), (shortDelay, [404, 405]), (.drop, [405]), (.duplicate, [404, 405]),
        (.replace(otherBytes), [503, 405]), (.reset, []),
    ]

    @Test(arguments: requests.indices)
    func requestFaultIsApplied(index: Int) async throws {
        let (decision, statuses) = Self.requests[index]
        try await sendTwoRequests(decision, where: \.isRequest, expecting: statuses)
    }

    private func sendTwoRequests(
        _ decision: FaultDecision,
        where matches: @escaping @Sendable (FaultInjectionPoint) -> Bool,
        expecting statuses: [Int]
    ) async throws {
        try await run(decision, where: matches) { _, controller in
            try await controller.send(Self.first.message + Self.second.message)
            for status in statuses {
                #expect(try await controller.response().status == status)
            }
            if decision == .reset {
                #expect(try await controller.messagesUntilClosed() == [])
            } else {
                #expect(try await controller.request(HTTPRequest(.put, .prepare)).status == 400)
            }
        }
    }

    @Test func droppedRequestHasNoEffect() async throws {
        try await run(.drop, where: \.isRequest) { server, controller in
            let lamp = try await server.lamp
            let items = [CharacteristicWriteItem(CharacteristicAddress(lamp), value: true)]
            let body = CharacteristicWriteRequest(items).body
            try await controller.send(HTTPRequest(.put, .characteristics, body: body))
            #expect(try await controller.value(of: lamp) == 0)
        }
    }

    @Test func droppedResponseDoesNotUndoTheRequest() async throws {
        try await run(.drop, where: \.isResponse) { server, controller in
            let lamp = try await server.lamp
            let items = [CharacteristicWriteItem(CharacteristicAddress(lamp), value: true)]
            let body = CharacteristicWriteRequest(items).body
            try await controller.send(HTTPRequest(.put, .characteristics, body: body))
            #expect(try await controller.value(of: lamp) == 1)
        }
    }

    static let events: [(FaultDecision, Int)] = [
        (.proceed, 1), (shortDelay, 1), (.drop, 0), (.duplicate, 2), (.replace([]), 0), (.reset, 0),
    ]

    @Test(arguments: events.indices)
    func eventFaultIsApplied(index: Int) async throws {
        let (decision, count) = Self.events[index]
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection) { server in
            let controller = try await server.session()
            let lamp = try await server.lamp
            try await controller.subscribe(to: lamp)
            faultInjection.injectOnce(decision, where: \.isEvent)
            #expect(await server.server.set(true, for: lamp))
            for _ in 0..<count {
                #expect(try await controller.eventValues() == [lamp: 1])
            }
            if decision == .reset {
                #expect(try await controller.messagesUntilClosed() == [])
            } else {
                #expect(try await controller.eventsUntilNextResponse() == [])
            }
        }
    }

    @Test func eventFollowsADelayedResponse() async throws {
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection) { server in
            let controller = try await server.session()
            let lamp = try await server.lamp
            try await controller.subscribe(to: lamp)
            faultInjection.injectOnce(.delay(.milliseconds(200)), where: \.isResponse)
            try await controller.send(Self.first)
            try await server.journal.waitForEvent { if case .faultInjected = $0 { true } else { false } }
            #expect(await server.server.set(true, for: lamp))
            #expect(try await controller.nextMessage()?.kind == .response)
            #expect(try await controller.nextMessage()?.kind == .event)
        }
    }

    @Test func delayedM4IsSentAsPlaintext() async throws {
        let answers = Counter()
        let faultInjection = ScriptedFaultInjection { point in
            guard point.isResponse, answers.next() == 2 else { return .proceed }
            return Self.shortDelay
        }
        try await TestServer.run(faultInjection: faultInjection) { server in
            let controller = try await server.session()
            #expect(try await controller.value(of: try await server.lamp) == 0)
        }
    }

    @Test(arguments: [FaultDecision.drop, .duplicate, .replace(otherBytes)])
    func sessionOfARemovedControllerEndsDespiteAFault(decision: FaultDecision) async throws {
        try await run(decision, where: \.isResponse) { server, controller in
            let remove = PairingMessages.remove(Fixture.controller.identifier)
            try await controller.send(HTTPRequest(.post, .pairings, body: remove))
            try await controller.messagesUntilClosed()
            try await server.journal.waitForEntry { $0.statusFlag == "1" }
        }
    }

    @Test(arguments: ["request", "response", "event"])
    func resetIsReportedAsReset(point: String) async throws {
        let faultInjection = ScriptedFaultInjection()
        try await TestServer.run(faultInjection: faultInjection) { server in
            let controller = try await server.session()
            let lamp = try await server.lamp
            try await controller.subscribe(to: lamp)
            faultInjection.injectOnce(.reset) { $0.description.hasPrefix(point) }
            if point == "event" {
                #expect(await server.server.set(true, for: lamp))
            } else {
                try await controller.send(Self.first)
            }
            #expect(try await controller.messagesUntilClosed() == [])
            #expect(await controller.isReset)
        }
    }

    @Test(arguments: [FaultDecision.drop, .reset])
    func connectionIsRefused(decision: FaultDecision) async throws {
        try await run(decision, where: \.isAccept) { server, controller in
            do {
                let refused = try await server.connect()
                #expect(try await refused.messagesUntilClosed() == [])
            } catch is NIOConnectionError where decision == .reset {
                // The reset arrived before the controller had finished opening its connection.
            }
            let next = try await server.connect()
            #expect(try await next.request(Self.first).status == 470)
            #expect(try await controller.request(Self.first).status == 404)
        }
    }

    @Test(arguments: [FaultDecision.proceed, shortDelay, .duplicate, .replace(otherBytes)])
    func connectionIsAccepted(decision: FaultDecision) async throws {
        try await run(decision, where: \.isAccept) { server, _ in
            let late = try await server.connect()
            #expect(try await late.request(Self.first).status == 470)
            #expect(try await late.request(Self.first).status == 470)
        }
    }

    static let announcements: [(FaultDecision, Bool)] = [
        (.proceed, true), (shortDelay, true), (.duplicate, true), (.replace([]), true), (.drop, false), (.reset, false),
    ]

    @Test(arguments: announcements.indices)
    func announcementFaultIsApplied(index: Int) async throws {
        let (decision, isMade) = Self.announcements[index]
        try await run(decision, where: \.isAnnouncement) { server, controller in
            try await server.server.replaceAccessories(with: [TestAccessory.accessory(hasLamp: false)])
            if isMade {
                try await server.journal.waitForEntry { $0.configurationNumber == "2" }
            }
            // The next announcement has no fault, and contains all changes.
            try await server.server.replaceAccessories(with: [TestAccessory.accessory()])
            try await server.journal.waitForEntry { $0.configurationNumber == "3" }
            let numbers = server.journal.entries.compactMap(\.configurationNumber)
            #expect(numbers == (isMade ? ["1", "2", "3"] : ["1", "3"]))
            #expect(try await controller.request(Self.first).status == 404)
        }
    }

    @Test(arguments: announcements.indices)
    func firstAnnouncementFaultIsApplied(index: Int) async throws {
        let (decision, isMade) = Self.announcements[index]
        let faultInjection = ScriptedFaultInjection()
        faultInjection.injectOnce(decision, where: \.isAnnouncement)
        try await TestServer.run(faultInjection: faultInjection) { server in
            if isMade {
                try await server.journal.waitForEntry { $0.configurationNumber == "1" }
            }
            try await server.server.replaceAccessories(with: [TestAccessory.accessory(hasLamp: false)])
            try await server.journal.waitForEntry { $0.configurationNumber == "2" }
            #expect(server.journal.entries.compactMap(\.configurationNumber) == (isMade ? ["1", "2"] : ["2"]))
        }
    }
}
