import AccessoryModel
import AirPlay
import HAPCore
import PropertyLists
import Simulation
import TestSupport
import Testing

@testable import AirPlayDriver

/// What a sender sees of each deliberate misbehavior of a receiver.
@Suite(.timeLimit(.minutes(5)))
struct FaultDriverTests {
    /// The faults of which this suite has a test.
    private static let tested: Set = [
        "wrongPIN", "refusedSession", "deviceInUse", "droppedFeedback", "lostPackets", "latePackets", "resendStorm",
        "clockDrift",
    ]

    @Test func eachFaultIsTested() {
        #expect(Set(DriverDefinition.airPlay.faults.map(\.name)) == Self.tested)
    }

    // MARK: Control

    @Test func wrongPINRefusesTheRightOneOnce() async throws {
        let stage = try await ReceiverStage(", pin: \"1234\"")
        let identity = ControllerIdentity.random(identifier: Fixture.identifier("phone"))
        let sender = try await AirPlayTestSender(port: stage.port)
        await stage.inject("wrongPIN")
        #expect(try await sender.pair(identity, pin: "1234") == .failure(.refused(.authentication)))
        guard case .success = try await sender.pair(identity, pin: "1234") else {
            Issue.record("the fault acts again")
            return
        }
        await stage.stop()
    }

    @Test func refusedSessionHasItsStatusOnce() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        await stage.inject("refusedSession", 417)
        #expect(try await sender.setUp().status == 417)
        #expect(try await sender.request("RECORD").status == 455)
        #expect(try await sender.setUp().status == 200)
        await stage.stop()
    }

    @Test func refusedSessionRefusesAVideo() async throws {
        let stage = try await ReceiverStage("", .television)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let video: PropertyList = ["Content-Location": "http://example.com/a.m3u8", "Start-Position": 0]
        await stage.inject("refusedSession", 503)
        #expect(try await sender.request("POST", "/play", list: video).status == 503)
        #expect(try await sender.request("POST", "/play", list: video).status == 200)
        await stage.stop()
    }

    @Test func deviceInUseRefusesASessionAndSaysSo() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        await stage.inject("deviceInUse")
        #expect(try await sender.information()["statusFlags"]?.integer == 0x20004)
        #expect(try await sender.information()["statusFlags"]?.integer == 0x4)
        await stage.inject("deviceInUse")
        #expect(try await sender.setUp().status == 453)
        #expect(try await sender.setUp().status == 200)
        await stage.stop()
    }

    @Test func droppedFeedbackAnswersOnlyTheOtherRequests() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        await stage.inject("droppedFeedback")
        let dropped = try await sender.send("POST", "/feedback")
        #expect(try await sender.request("GET", "/info").status == 200)
        #expect(try sender.arrived().allSatisfy { $0.headers["CSeq"] != "\(dropped)" })
        #expect(try await sender.request("POST", "/feedback").status == 200)
        await stage.stop()
    }

    // MARK: Audio

    private static func number(_ name: String, _ stage: ReceiverStage) async throws -> Double {
        if case .number(let number)? = try await stage.reading(name) { number } else { 0 }
    }

    /// Plays audio with a fault, until it is seen; returns the packets that were sent.
    @discardableResult
    private static func play(
        _ fault: String,
        _ number: Double,
        until isSeen: (ReceiverStage, AudioSocket) async throws -> Bool
    ) async throws -> Int {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        // Until the receiver plays, so that the fault does not act on an empty stream.
        let first = try await audio.play(from: 1_000, until: "it plays") {
            try await Self.number("packets", stage) > 0
        }
        #expect(audio.requests.isEmpty)
        await stage.inject(fault, number)
        let last = try await audio.play(from: first, until: "\(fault) is seen") { try await isSeen(stage, audio) }
        await stage.stop()
        return Int(last) - 1_000
    }

    @Test func lostPacketsAreRequestedAgain() async throws {
        let sent = try await Self.play("lostPackets", 100) { stage, audio in
            try await Self.number("lost", stage) > 5 && audio.requests.contains { $0.count > 5 }
        }
        #expect(sent > 10)
    }

    @Test func latePacketsArriveAfterLaterOnes() async throws {
        try await Self.play("latePackets", 600) { stage, audio in
            try await Self.number("reordered", stage) > 5 && !audio.requests.isEmpty
        }
    }

    @Test func aResendStormAsksTenTimesForPacketsThatHaveArrived() async throws {
        try await Self.play("resendStorm", 0) { _, audio in audio.requests.count { $0.count == 100 } == 10 }
    }

    /// The clock of the receiver is 1 % faster, so that of the sender seems to be slower.
    @Test func clockDriftIsMeasured() async throws {
        let start = ContinuousClock.now
        var isFirst = true
        try await Self.play("clockDrift", 10_000) { stage, audio in
            let seconds = start.duration(to: .now) / .seconds(1)
            audio.synchronize(isFirst: isFirst, timestamp: UInt32(seconds * 44_100))
            isFirst = false
            return try await Self.number("drift", stage) < -5_000
        }
    }
}
