import AccessoryModel
import AirPlay
import Glibc
import HAPCore
import HAPServer
import Hosting
import NIOCore
import PropertyLists
import Simulation
import TestSupport
import Testing

@testable import AirPlayDriver

/// The session of a sender on a socket, as the sender and HomeKit see it.
@Suite(.timeLimit(.minutes(5)))
struct SessionDriverTests {
    @Test func aSenderAndHomeKitSeeOneDevice() async throws {
        let stage = try await ReceiverStage("", .television)
        let sender = try await AirPlayTestSender.paired(with: stage)
        #expect(try await sender.setUp().status == 200)
        try await eventually("the television is on") { try await stage.value(.active) == 1 }
        #expect(try await stage.value(.activeIdentifier) == 2)
        #expect(try await sender.information()["statusFlags"]?.integer == 0x20004)
        let track = Self.item("mlit", Self.item("minm", Array("Song".utf8)) + Self.item("asar", Array("Band".utf8)))
        let headers: AirPlayHeaders = ["Content-Type": "application/x-dmap-tagged"]
        #expect(try await sender.request("SET_PARAMETER", "/", headers, track).status == 200)
        #expect(try await stage.reading("title") == .text("Song"))
        #expect(try await stage.reading("artist") == .text("Band"))
        #expect(try await stage.reading("sender") == .text("Phone"))
        try await Self.set("progress: 44100/88200/441000\r\n", of: sender)
        #expect(try await stage.reading("position") == .number(1))
        #expect(try await stage.reading("duration") == .number(9))
        // Off ends the session and its connection, and the former input is shown.
        try await stage.write(.active, 0)
        try await sender.expectEnd()
        #expect(try await stage.value(.activeIdentifier) == 1)
        #expect(try await stage.log.expect("sessionEnded").details == ["sender": "Phone", "reason": "off"])
        await stage.stop()
    }

    private static func item(_ code: String, _ content: [UInt8]) -> [UInt8] {
        let count = UInt32(content.count)
        return Array(code.utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + content
    }

    private static func set(_ text: String, of sender: AirPlayTestSender) async throws {
        let headers: AirPlayHeaders = ["Content-Type": "text/parameters"]
        #expect(try await sender.request("SET_PARAMETER", "/", headers, Array(text.utf8)).status == 200)
    }

    @Test func aSecondSenderIsRefusedUntilTheFirstOneHasEnded() async throws {
        let stage = try await ReceiverStage()
        let first = try await AirPlayTestSender.paired(with: stage)
        let second = try await AirPlayTestSender.paired(with: stage)
        #expect(try await first.setUp().status == 200)
        #expect(try await second.setUp().status == 453)
        #expect(try await second.request("RECORD").status == 455, "it has no session")
        #expect(try await stage.log.expect("sessionRefused").details["reason"] == "Phone plays")
        #expect(try await first.request("TEARDOWN").status == 200)
        #expect(try await second.setUp().status == 200)
        // The end of a connection ends its session, too.
        second.close()
        try await eventually("the session has ended") { try await stage.reading("sender") == .text("") }
        #expect(try await first.setUp().status == 200)
        await stage.stop()
    }

    @Test(arguments: [ServiceType.smartSpeaker, .television])
    func theVolumeIsTheSameInBothDirections(_ type: ServiceType) async throws {
        let stage = try await ReceiverStage("", type)
        let service = type == .television ? ServiceType.speaker : type
        #expect(try await stage.value(.volume, of: service)?.coercedInteger == 25, "that of the file")
        let sender = try await AirPlayTestSender.paired(with: stage)
        #expect(try await sender.information()["initialVolume"] == .real(-22.5))
        _ = try await sender.setUp()
        try await Self.set("volume: -6.0\r\n", of: sender)
        #expect(try await stage.value(.volume, of: service)?.coercedInteger == 80)
        try await Self.set("volume: -144.0\r\n", of: sender)
        #expect(try await stage.value(.mute, of: service)?.coercedBool == true)
        #expect(try await stage.value(.volume, of: service)?.coercedInteger == 80)
        try await stage.write(.volume, 50, of: service)
        try await stage.write(.mute, false, of: service)
        func volume() async throws -> String {
            let response = try await sender.request("GET_PARAMETER", "/", [:], Array("volume\r\n".utf8))
            return String(decoding: response.body, as: UTF8.self)
        }
        try await eventually("the sender gets it") { try await volume() == "volume: -15.0\r\n" }
        await stage.stop()
    }

    // MARK: Event channel

    /// Sets up a session with its event channel.
    private static func channel(of sender: AirPlayTestSender) async throws -> EventChannelEnd {
        let (status, port) = try await sender.setUp()
        #expect(status == 200)
        return try await EventChannelEnd(port: #require(port), #require(sender.eventKeys))
    }

    /// Writes volumes until one arrives, because the receiver may not have accepted the connection yet.
    private static func expectVolume(_ channel: EventChannelEnd, _ stage: ReceiverStage) async throws {
        var percent = 30
        try await eventually("a volume arrives") {
            percent = percent == 90 ? 30 : percent + 1
            try await stage.write(.volume, .integer(percent))
            return try await !channel.requests().isEmpty
        }
    }

    @Test func whatHomeKitWantsArrivesOnTheEventChannelInItsOrder() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        let channel = try await Self.channel(of: sender)
        try await Self.expectVolume(channel, stage)
        try await stage.write(.volume, 0)
        try await eventually("0 % arrives") { try await channel.requests().last?["volume"] == .real(-30) }
        let former = try await channel.requests().count
        for percent in 1...20 { try await stage.write(.volume, .integer(percent)) }
        try await stage.write(.targetMediaState, 1)
        try await eventually("the last one arrives") { try await channel.requests().last?["value"]?.text == "pause" }
        let requests = try await channel.requests().dropFirst(former)
        #expect(requests.allSatisfy { $0["type"]?.text == "remoteCommand" })
        let volumes = requests.dropLast().compactMap { $0["volume"]?.number }
        // A volume replaces the one before it that still waits.
        #expect(volumes == volumes.sorted() && volumes.last == VolumeLevel(percent: 20).decibels)
        #expect(requests.last?["value"]?.text == "pause")
        #expect(stage.log.all.last { $0.name == "remoteCommand" }?.details == ["command": "pause", "sent": "true"])
        sender.close()
        try await eventually("the channel ends with the session") { channel.isClosed }
        await stage.stop()
    }

    @Test func withoutAnEventChannelACommandIsReportedAsNotSent() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        _ = try await sender.setUp()
        try await stage.write(.targetMediaState, 1)
        #expect(try await stage.log.expect("remoteCommand").details == ["command": "pause", "sent": "false"])
        await stage.stop()
    }

    /// The keys of a connection are for one event channel: with the same keys, nonces would be used again.
    @Test func aSessionThatIsSetUpAgainKeepsItsEventChannel() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        let channel = try await Self.channel(of: sender)
        try await Self.expectVolume(channel, stage)
        for isEnded in [false, true] {
            if isEnded { #expect(try await sender.request("TEARDOWN").status == 200) }
            let (status, port) = try await sender.setUp()
            #expect(status == 200 && port == nil)
            #expect(try await sender.request("POST", "/feedback").status == 200)
            let count = try await channel.requests().count
            var percent = 30
            try await eventually("a volume arrives on the first channel") {
                percent = percent == 90 ? 30 : percent + 1
                try await stage.write(.volume, .integer(percent))
                return try await channel.requests().count > count
            }
        }
        await stage.stop()
    }

    @Test func anEventChannelOfAnotherHostIsClosed() async throws {
        let stage = try await ReceiverStage(", address: 0.0.0.0")
        let sender = try await AirPlayTestSender.paired(with: stage)
        let port = try #require(try await sender.setUp().eventPort)
        let other = try await AirPlayTestSender(port: port, from: "127.0.0.2")
        try await other.expectEnd()
        let channel = try await EventChannelEnd(port: port, #require(sender.eventKeys))
        try await Self.expectVolume(channel, stage)
        await stage.stop()
    }

    // MARK: AirPlay Enable

    @Test func airPlayEnableEndsTheSessionAndRefusesOthers() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        _ = try await sender.setUp()
        try await stage.write(.airPlayEnable, 0)
        try await sender.expectEnd()
        #expect(try await stage.log.expect("sessionEnded").details["reason"] == "disabled")
        let other = try await AirPlayTestSender.paired(with: stage)
        #expect(try await other.setUp().status == 503)
        try await stage.write(.airPlayEnable, 1)
        #expect(try await other.setUp().status == 200)
        await stage.stop()
    }

    // MARK: Pictures

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    private static func show(_ type: String, _ body: [UInt8], of sender: AirPlayTestSender) async throws {
        #expect(try await sender.request("SET_PARAMETER", "/", ["Content-Type": type], body).status == 200)
    }

    @Test func aPictureIsShownUntilItIsClearedOrTheSessionEnds() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        _ = try await sender.setUp()
        try await Self.show("image/jpeg", Self.jpeg, of: sender)
        #expect(try stage.driver.picture == DriverPicture(Self.jpeg))
        #expect(try stage.driver.picture?.type == "image/jpeg")
        #expect(try await stage.reading("artwork") == .number(7))
        try await Self.show("image/none", [], of: sender)
        #expect(try stage.driver.picture == nil)
        #expect(try await stage.reading("artwork") == nil)
        // What is no picture is not shown, whatever its type.
        try await Self.show("image/png", Array("<svg/>".utf8), of: sender)
        #expect(try stage.driver.picture == nil)
        try await Self.show("image/jpeg", Self.jpeg, of: sender)
        #expect(try stage.driver.picture != nil)
        _ = try await sender.request("TEARDOWN")
        try await eventually("it is cleared") { try stage.driver.picture == nil }
        await stage.stop()
    }

    // MARK: Threads

    /// Whatever a driver does on its thread, the server answers.
    @Test func aReceiverThatIsBusyDoesNotBlockTheServer() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        _ = try await sender.setUp()
        let (isBlocked, isReleased) = (OnceFlag(), OnceFlag())
        ServiceThread.group.any()
            .execute {
                _ = isBlocked.claim()
                // Waits: nothing else may run on this thread.
                while isReleased.isUnclaimed { usleep(1_000) }
            }
        try await eventually("the thread of drivers is blocked") { !isBlocked.isUnclaimed }
        try await stage.write(.volume, 60)
        try await stage.write(.targetMediaState, 1)
        #expect(try await stage.value(.volume)?.coercedInteger == 60)
        let client = try await AirPlayTestSender(port: stage.server.information.port)
        try await client.write(Array("GET /accessories HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        try await eventually("the server answers") { try client.arrived().map(\.status) == [470] }
        let number = try await sender.send("GET", "/info")
        #expect(try sender.arrived().allSatisfy { $0.headers["CSeq"] != "\(number)" }, "its receiver is blocked")
        _ = isReleased.claim()
        #expect(try await sender.response(to: number).status == 200)
        await stage.stop()
    }
}
