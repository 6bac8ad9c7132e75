import AirPlay
import HAPCore
import TestSupport
import Testing

/// Packets of audio, and the packets of the control and timing ports.
struct RTPPacketTests {
    private func parse(_ bytes: [UInt8]) throws(AirPlayError) -> RTPPacket {
        try RTPPacket(parsing: bytes.span)
    }

    private func control(_ bytes: [UInt8]) throws(AirPlayError) -> ControlPacket {
        try ControlPacket(parsing: bytes.span)
    }

    @Test
    func theHeadOfAPacketIsReadAndWritten() throws {
        let bytes = [UInt8](hex: "80e0fffe89abcdef01020304") + [9, 8, 7]
        let packet = try parse(bytes)
        #expect(packet.isMarked && packet.sequence == 0xFFFE && packet.timestamp == 0x89AB_CDEF)
        #expect(packet.source == 0x0102_0304 && packet.content == 12..<15)
        let head = RTPPacket.header(
            isMarked: true,
            sequence: packet.sequence,
            timestamp: packet.timestamp,
            source: packet.source
        )
        #expect(head == Array(bytes.prefix(12)) && head.count == RTPPacket.headerLength)
        #expect(RTPPacket.header(sequence: 1, timestamp: 2, source: 3).hex == "806000010000000200000003")
        // The additional data of the encryption.
        #expect(Array(bytes[RTPPacket.authenticatedRange]).hex == "89abcdef01020304")
    }

    @Test(arguments: [
        // Two sources; an extension of one word; both; three bytes of padding; a content of no bytes.
        ("826000010000000200000003" + "0000000400000005" + "aabb", 20..<22),
        ("906000010000000200000003" + "beef0001" + "01020304" + "aabb", 20..<22),
        ("916000010000000200000003" + "00000004" + "beef0000" + "aabb", 20..<22),
        ("a06000010000000200000003" + "aabb" + "000003", 12..<14), ("806000010000000200000003", 12..<12),
        ("a06000010000000200000003" + "01", 12..<12),
    ])
    func sourcesExtensionsAndPaddingAreSkipped(_ hex: String, _ content: Range<Int>) throws {
        #expect(try parse([UInt8](hex: hex)).content == content)
    }

    @Test(arguments: [
        "", "8060000100000002000000", "406000010000000200000003", "006000010000000200000003",
        "806100010000000200000003",
        "80d400010000000200000003", "816000010000000200000003" + "000000", "906000010000000200000003" + "beef00",
        "906000010000000200000003" + "beefffff" + "00", "a06000010000000200000003" + "00",
        "a06000010000000200000003" + "ff", "a16000010000000200000003" + "00000001",
    ])
    func anotherPacketIsRefused(_ hex: String) {
        #expect(throws: AirPlayError.self) { try parse([UInt8](hex: hex)) }
    }

    private static let synchronization = ControlPacket.synchronization(
        ControlPacket.Synchronization(
            isFirst: true,
            timestamp: 0x0001_0000,
            time: NTPTime(rawValue: 0x83AA_7E80_8000_0000),
            nextTimestamp: 0x0002_5888
        )
    )

    private static let timing = ControlPacket.Timing(
        origin: NTPTime(rawValue: 1),
        received: NTPTime(rawValue: 0x0000_0002_0000_0003),
        sent: NTPTime(rawValue: .max)
    )

    @Test(arguments: [
        (synchronization, "90d4000700010000" + "83aa7e8080000000" + "00025888"),
        (.resendRequest(ControlPacket.ResendRequest(first: 0xFFFE, count: 3)), "80d50001fffe0003"),
        (.resent([UInt8](hex: "8060123400000001000000020a")), "80d61234" + "8060123400000001000000020a"),
        (
            .timingRequest(ControlPacket.Timing(sent: NTPTime(rawValue: 5))),
            "80d2000700000000" + "0000000000000000" + "0000000000000000" + "0000000000000005"
        ),
        (.timingReply(timing), "80d3000700000000" + "0000000000000001" + "0000000200000003" + "ffffffffffffffff"),
    ])
    func aControlPacketIsReadAndWritten(_ packet: ControlPacket, _ hex: String) throws {
        let bytes = [UInt8](hex: hex)
        #expect(packet.bytes.hex == hex)
        #expect(try control(bytes) == packet)
        HostileInput.truncations(of: bytes) { part in
            // A packet that was resent is at least a head.
            let isWhole = part.count == bytes.count || hex.hasPrefix("80d6") && part.count >= 16
            #expect(((try? control(part)) != nil) == isWhole)
        }
    }

    @Test(arguments: ["", "80d4", "40d5000100010001", "80d7000100010001", "80e0000100010001", "80d5000100010000"])
    func anotherControlPacketIsRefused(_ hex: String) {
        #expect(throws: AirPlayError.self) { try control([UInt8](hex: hex)) }
    }

    @Test
    func bytesAfterAControlPacketAreIgnored() throws {
        #expect(try control(Self.synchronization.bytes + [1, 2, 3]) == Self.synchronization)
    }

    @Test
    func theLatencyOfASynchronizationWraps() {
        let packet = ControlPacket.Synchronization(timestamp: 0xFFFF_FFF0, time: .zero, nextTimestamp: 0x10)
        #expect(packet.latency == 0x20)
    }

    @Test
    func aReplyRepeatsTheTimeOfTheRequest() {
        let request = ControlPacket.Timing(sent: NTPTime(rawValue: 7))
        let reply = request.reply(received: NTPTime(rawValue: 8), sent: NTPTime(rawValue: 9))
        #expect(reply.origin.rawValue == 7 && reply.received.rawValue == 8 && reply.sent.rawValue == 9)
    }

    @Test(
        arguments: [
            (0, 0), (1_500_000_000, 0x0000_0001_8000_0000), (-500_000_000, 0xFFFF_FFFF_8000_0000),
            (4_294_967_296_000_000_000, 0), (999_999_999, 0x0000_0000_FFFF_FFFB),
        ] as [(Int64, UInt64)]
    )
    func anInstantIsATimeOfNTP(_ nanoseconds: Int64, _ time: UInt64) {
        #expect(NTPTime(MonotonicInstant(nanoseconds: nanoseconds)).rawValue == time)
        // The ends of the range are not special.
        _ = [Int64.min, .max].map { NTPTime(MonotonicInstant(nanoseconds: $0)) }
    }

    @Test
    func timesOfNTPHaveADistance() {
        let (early, late) = (NTPTime(rawValue: 0xFFFF_FFFF_8000_0000), NTPTime(rawValue: 0x0000_0001_4000_0000))
        #expect(early.duration(to: late) == .milliseconds(1_750))
        #expect(late.duration(to: early) == .milliseconds(-1_750))
        #expect(early.duration(to: NTPTime(rawValue: early.rawValue ^ 1 << 63)) < .zero)
    }

    @Test
    func hostilePacketsAreReadOrRefused() {
        let seeds = [
            [UInt8](hex: "b26000010000000200000003" + "0000000400000005" + "beef0001" + "01020304" + "aabb" + "0002"),
            Self.synchronization.bytes, ControlPacket.timingReply(Self.timing).bytes,
        ]
        var results = [true: 0, false: 0]
        func read(_ bytes: [UInt8]) {
            let packet = try? parse(bytes)
            results[packet != nil, default: 0] += 1
            if let packet { #expect(packet.content.lowerBound >= 12 && packet.content.upperBound <= bytes.count) }
            if let packet = try? control(bytes) { #expect(packet.bytes.count <= bytes.count) }
        }
        for seed in seeds { HostileInput.truncations(of: seed, read) }
        HostileInput.mutations(of: seeds, read)
        #expect(results.values.allSatisfy { $0 > 100 })
    }
}
