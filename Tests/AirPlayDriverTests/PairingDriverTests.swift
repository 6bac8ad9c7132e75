import AccessoryModel
import AirPlay
import HAPCore
import Hosting
import PropertyLists
import TestSupport
import Testing

@testable import AirPlayDriver

/// Senders that pair with a receiver on a socket, and what those that do not pair may do.
@Suite(.timeLimit(.minutes(5)))
struct PairingDriverTests {
    private static let first = ControllerIdentity.random(identifier: Fixture.identifier("first"))
    private static let second = ControllerIdentity.random(identifier: Fixture.identifier("second"))

    /// Pairs a sender on a connection of its own.
    private static func pair(
        _ identity: ControllerIdentity,
        with stage: ReceiverStage,
        pin: String? = nil,
        hint: String = "3"
    ) async throws -> AccessoryPairing {
        let sender = try await AirPlayTestSender(port: stage.port)
        defer { sender.close() }
        let used = if let pin { pin } else { try await stage.pin() }
        return try await sender.pair(identity, pin: used, hint: hint).get()
    }

    // MARK: Pairings

    @Test func aPairedSenderPlaysAfterARestartOfTheDriver() async throws {
        let stage = try await ReceiverStage(", access: pin, name: First")
        let pairing = try await Self.pair(Self.first, with: stage)
        #expect(try await stage.log.expect("paired").details == ["sender": "first"])
        let before = try await AirPlayTestSender(port: stage.port).information()
        try await stage.restart(", access: pin, name: Second")
        let sender = try await AirPlayTestSender(port: stage.port)
        let after = try await sender.information()
        #expect(after["name"]?.text == "Second" && before["name"]?.text == "First")
        for key in ["deviceID", "pk", "pi"] { #expect(after[key] != nil && after[key] == before[key], "\(key)") }
        #expect(after["deviceID"]?.text.map { Array($0.utf8) } == pairing.identifier)
        #expect(after["pk"]?.data == pairing.publicKey.bytes)
        #expect(try await sender.verify(Self.first, pairing) == 200)
        #expect(try await sender.setUp().status == 200)
        await stage.stop()
    }

    @Test func severalSendersPairAndEachIsKnown() async throws {
        let stage = try await ReceiverStage(", access: pin")
        for identity in [Self.first, Self.second] {
            let pairing = try await Self.pair(identity, with: stage)
            let sender = try await AirPlayTestSender(port: stage.port)
            #expect(try await sender.verify(identity, pairing) == 200)
            #expect(try await sender.setUp().status == 200)
            #expect(try await sender.request("TEARDOWN").status == 200)
        }
        await stage.stop()
    }

    private static let firstMessage = PairingMessages.message((.state, [1]), (.method, [0]))

    /// Its proof would count as one of a session, whose failures are not counted.
    @Test func aRefusedFirstMessageLeavesNoProcedure() async throws {
        let stage = try await ReceiverStage(", access: pin, pin: '1234'")
        let sender = try await AirPlayTestSender(port: stage.port)
        let second = try await sender.request("POST", "/pair-setup", [:], Self.firstMessage)
        #expect(PairingMessages.value(.publicKey, of: second.body) != nil)
        let transient = PairingMessages.message((.state, [1]), (.method, [0]), (.flags, [0x10]))
        let refused = try await sender.request("POST", "/pair-setup", [:], transient)
        #expect(PairingMessages.error(of: refused.body) == .authentication)
        let third = PairingMessages.message(
            (.state, [3]),
            (.publicKey, [UInt8](repeating: 1, count: 384)),
            (.proof, [UInt8](repeating: 1, count: 64))
        )
        #expect(try await sender.request("POST", "/pair-setup", [:], third).status == 400)
        await stage.stop()
    }

    /// A check of a wrong PIN takes a second, and others wait for at most 10 s.
    ///
    /// Waits: for that limit.
    @Test func aSenderThatHasWaitedTooLongStartsAgain() async throws {
        let stage = try await ReceiverStage(", access: pin, pin: '1234'")
        var senders: [AirPlayTestSender] = []
        for _ in 0..<14 {
            let sender = try await AirPlayTestSender(port: stage.port)
            try await sender.request("POST", "/pair-setup", [:], Self.firstMessage)
            senders.append(sender)
        }
        let third = PairingMessages.message(
            (.state, [3]),
            (.publicKey, [UInt8](repeating: 1, count: 384)),
            (.proof, [UInt8](repeating: 1, count: 64))
        )
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for sender in senders {
                // Each sender is used by one task.
                nonisolated(unsafe) let sender = sender
                group.addTask {
                    let fourth = try await sender.request("POST", "/pair-setup", [:], third)
                    // The procedure is over either way.
                    let fifth = PairingMessages.message((.state, [5]), (.encryptedData, [1]))
                    let sixth = try await sender.request("POST", "/pair-setup", [:], fifth)
                    #expect(PairingMessages.error(of: sixth.body) == .authentication)
                    return [fourth.status]
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(statuses.contains(503) && statuses.contains(200))
        await stage.stop()
    }

    @Test func aSenderThatIsNotPairedDoesNotPlay() async throws {
        let stage = try await ReceiverStage(", access: pin")
        let known = try await Self.pair(Self.first, with: stage)
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await sender.verify(Self.second, known) == 470)
        #expect(try await sender.setUp().status == 470)
        // Nor with keys for one session.
        #expect(try await sender.pairForOneSession() == .authentication)
        await stage.stop()
    }

    @Test func aWrongPINPairsNobodyAndTheRightOneIsNotRefusedThen() async throws {
        let stage = try await ReceiverStage(", pin: \"1234\"")
        #expect(try await stage.pin() == "1234")
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await sender.pair(Self.first, pin: "4321") == .failure(.refused(.authentication)))
        #expect(!stage.log.names.contains("paired"))
        let pairing = try await Self.pair(Self.first, with: stage, pin: "1234")
        #expect(try await sender.verify(Self.first, pairing) == 200)
        await stage.stop()
    }

    @Test func thePINIsShownToSendersThatAskForItAndIsKeptForTheRun() async throws {
        let stage = try await ReceiverStage()
        let pin = try await stage.pin()
        #expect(pin.utf8.count == 4 && pin.utf8.allSatisfy { (0x30...0x39).contains($0) })
        let sender = try await AirPlayTestSender(port: stage.port)
        try await sender.request("POST", "/pair-pin-start", ["X-Apple-HKP": "4"])
        #expect(!stage.log.names.contains("pin"), "a sender that wants no pairing needs no PIN")
        try await sender.request("POST", "/pair-pin-start", ["X-Apple-HKP": "3"])
        #expect(try await stage.log.expect("pin").details == ["pin": pin])
        #expect(try stage.driver.endpoints.first?.pin == pin)
        let wrong = pin == "0000" ? "0001" : "0000"
        #expect(try await sender.pair(Self.first, pin: wrong) == .failure(.refused(.authentication)))
        #expect(try await stage.pin() == pin)
        await stage.stop()
    }

    @Test func aPasswordTakesThePlaceOfThePIN() async throws {
        let stage = try await ReceiverStage(", password: open sesame, pin: \"1234\"")
        #expect(try await stage.reading("pin") == nil)
        #expect(try stage.driver.endpoints.first?.pin == nil)
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await sender.pairForOneSession() == .authentication)
        #expect(try await sender.pair(Self.first, pin: "1234") == .failure(.refused(.authentication)))
        let pairing = try await Self.pair(Self.first, with: stage, pin: "open sesame")
        #expect(try await sender.verify(Self.first, pairing) == 200)
        #expect(!stage.log.names.contains("pin"))
        await stage.stop()
    }

    @Test func aRemovedPairingEndsTheAccess() async throws {
        let stage = try await ReceiverStage(", access: pin, pin: \"1234\"")
        let (admin, other) = (
            try await Self.pair(Self.first, with: stage, hint: "6"), try await Self.pair(Self.second, with: stage)
        )
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await sender.verify(Self.second, other) == 200)
        #expect(try await sender.setUp().status == 200)
        // Only an admin may remove a sender.
        let removal = PairingMessages.remove(Self.second.identifier)
        #expect(try await sender.request("POST", "/pair-remove", [:], removal).status == 470)
        let remover = try await AirPlayTestSender(port: stage.port)
        #expect(try await remover.verify(Self.first, admin) == 200)
        let list = try await remover.request("POST", "/pair-list", [:], PairingMessages.list)
        #expect(try PairingMessages.pairings(in: list.body).map(\.isAdmin).sorted { $0 && !$1 } == [true, false])
        let response = try await remover.request("POST", "/pair-remove", [:], removal)
        #expect(response.status == 200 && PairingMessages.error(of: response.body) == nil)
        #expect(try await stage.log.expect("unpaired").details == ["sender": "second"])
        // The next request of its session is refused, and its session ends.
        #expect(try await sender.request("POST", "/feedback").status == 470)
        try await sender.expectEnd()
        try await stage.log.expect("sessionEnded")
        let again = try await AirPlayTestSender(port: stage.port)
        #expect(try await again.verify(Self.second, other) == 470)
        await stage.stop()
    }

    // MARK: Sessions

    @Test func keysForOneSessionLeaveNoPairing() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await sender.pairForOneSession(password: "3938") == .authentication)
        #expect(try await sender.setUp().status == 470, "it is not encrypted")
        #expect(try await sender.pairForOneSession() == nil)
        #expect(try await sender.setUp().status == 200)
        #expect(!stage.log.names.contains("paired"))
        #expect(try await sender.request("POST", "/pair-list", [:], PairingMessages.list).status == 470)
        await stage.stop()
    }

    @Test func bytesThatAreNotEncryptedEndAnEncryptedConnection() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        try await sender.write(AirPlayRequest("GET", "/info").bytes)
        try await sender.expectEnd()
        #expect(stage.log.names.contains("rejected"))
        await stage.stop()
    }

    // MARK: Limits

    @Test func aBodyOverTheLimitIsRefusedBeforeItArrives() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender(port: stage.port)
        let limit = AirPlayMessageDecoder.unknownSenderBody
        #expect(try await sender.request("POST", "/feedback", [:], [UInt8](repeating: 0, count: limit)).status == 200)
        let response = try await sender.request("POST", "/feedback", [:], [UInt8](repeating: 0, count: limit + 1))
        #expect(response.status == 413)
        try await sender.expectEnd()
        // A sender that has a session may send a picture.
        let known = try await AirPlayTestSender.paired(with: stage)
        #expect(try await known.setUp().status == 200)
        let picture = [UInt8](repeating: 0, count: 1 << 20)
        #expect(try await known.request("POST", "/feedback", [:], picture).status == 200)
        try await known.write([])
        let tooLarge = [UInt8](repeating: 0, count: AirPlayMessageDecoder.knownSenderBody + 1)
        #expect(try await known.request("POST", "/feedback", [:], tooLarge).status == 413)
        await stage.stop()
    }

    @Test func anUnknownSenderIsRefusedAfterTooManyRequests() async throws {
        let stage = try await ReceiverStage(", access: pin")
        let sender = try await AirPlayTestSender(port: stage.port)
        let last = AirPlayRequest("OPTIONS", "*", .rtsp, ["CSeq": "200"]).bytes
        let many = AirPlayRequest("OPTIONS", "*").bytes
        try await sender.write((1..<200).flatMap { _ in many } + last)
        try await eventually("200 requests are answered") { try sender.arrived().count == 200 }
        #expect(try sender.arrived().allSatisfy { $0.status == 200 })
        try await sender.write(many)
        try await sender.expectEnd()
        #expect(try sender.arrived().last?.status == 429)
        await stage.stop()
    }

    @Test func aKnownSenderIsNotLimitedInItsRequests() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        for _ in 0..<250 { try await sender.send("POST", "/feedback") }
        try await eventually("250 requests are answered") {
            try sender.arrived().count { $0.headers["Content-Type"] == nil } == 250
        }
        #expect(try sender.arrived().allSatisfy { $0.status == 200 })
        await stage.stop()
    }

    @Test func whatIsNoRequestEndsTheConnectionAndNothingElse() async throws {
        let stage = try await ReceiverStage()
        let other = try await AirPlayTestSender.paired(with: stage)
        let many = String(repeating: "a: b\r\n", count: AirPlayMessageDecoder.maximumFields + 1)
        for (text, status) in [
            ("PLAY\r\n\r\n", 400), ("GET /info SIP/2.0\r\n\r\n", 505), ("GET /info RTSP/1.0\r\n\(many)\r\n", 431),
            ("GET /info RTSP/1.0\r\nContent-Length: x\r\n\r\n", 400),
        ] {
            let sender = try await AirPlayTestSender(port: stage.port)
            try await sender.write(Array(text.utf8))
            try await sender.expectEnd()
            #expect(try sender.arrived().map(\.status) == [status])
        }
        #expect(try await other.request("GET", "/info").status == 200)
        await stage.stop()
    }
}
