import AirPlay
import FuzzHarness
import HAPCore

/// Packets of audio and of the control port: they are delivered in order, and all limits hold.
///
/// An input is a list of steps: a byte that says what is received, and its numbers.
enum AudioReceiverTarget: FuzzTarget {
    static let name = "audio-receiver"

    static var seeds: [String: [UInt8]] {
        let run = inOrder(8)
        let audio = RTPPacket.header(sequence: 1, timestamp: 2, source: 3) + [0x20, 0, 0x12, 0, 0, 0, 2, 0, 0]
        let request = ControlPacket.timingRequest(ControlPacket.Timing(sent: .zero))
        var seeds: [String: [UInt8]] = ["order": run, "full": run + [packet, 1] + inOrder(520)]
        seeds["gap"] = run + [packet, 3] + run + [time, 50, 0, resent, 0xFE, time, 0, 8] + run
        seeds["reordered"] = run + [packet, 1, packet, 0xFE, packet, 0xFF, packet, 2] + run
        seeds["jump"] = run + [packet, 127, packet, 127, other, 0, 200, other, 0, 1] + run
        seeds["flush"] = run + [packet, 5, flush, 9, flush, 0, flush, 1, packet, 0xF0, time, 0, 5] + run
        // 1,024 ms are about 44 << 10 frames.
        seeds["clock"] = stride(from: 0, to: 440, by: 44)
            .flatMap { number in
                [time, 0, 4, sync, UInt8(number & 0xFF), UInt8(number >> 8)]
            }
        seeds["rtp"] = ByteSource.raw(bytes, audio) + ByteSource.raw(bytes, [0x90] + audio.dropFirst())
        seeds["control"] =
            ByteSource.raw(bytes, ControlPacket.resent(audio).bytes) + ByteSource.raw(bytes, request.bytes)
        return seeds
    }

    private static func inOrder(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in [packet, 0] }
    }

    /// The steps; a smaller number is a packet near the last one.
    private static let (packet, resent, other, time) = (UInt8(0), UInt8(2), UInt8(3), UInt8(4))
    private static let (sync, flush, bytes) = (UInt8(5), UInt8(6), UInt8(7))

    static func run(_ input: [UInt8]) {
        var model = Model()
        var source = ByteSource(input)
        while !source.isEmpty {
            let step = source.byte()
            switch step & 7 {
            case other: model.receive(UInt16(truncatingIfNeeded: source.number()), length: Int(step >> 3))
            case time: model.advance(milliseconds: source.number())
            case sync: model.synchronize(UInt32(source.number()) << 10, isFirst: step & 8 != 0)
            case flush: model.flush(source.byte())
            case bytes: read(source.bytes(source.number() & 0xFFF))
            case let kind:
                let distance = Int16(Int8(bitPattern: source.byte())) + 1
                let sequence = model.newest &+ UInt16(bitPattern: distance)
                model.receive(sequence, length: Int(step >> 3), isResent: kind == resent)
            }
            model.check()
        }
    }

    /// Reads bytes as a packet of audio, as a control packet and as Apple Lossless.
    private static func read(_ bytes: [UInt8]) {
        if let packet = try? RTPPacket(parsing: bytes.span) {
            claim(packet.content.lowerBound >= RTPPacket.headerLength, "a content is after the head")
            claim(packet.content.upperBound <= bytes.count, "a content is in the packet")
        }
        if let packet = try? ControlPacket(parsing: bytes.span) {
            let written = packet.bytes
            claim((try? ControlPacket(parsing: written.span)) == packet, "a packet that is written can be read")
        }
        for (channels, bits) in [(1, 16), (2, 16), (2, 24), (2, 32)] {
            guard
                let format = AudioFormat(
                    codec: .alac,
                    sampleRate: 44_100,
                    channels: channels,
                    bitsPerSample: bits,
                    framesPerPacket: 64
                ),
                case .samples(let samples) = try? AppleLossless.unpack(bytes.span, format: format)
            else { continue }
            claim(!samples.isEmpty && samples.count <= 64 * format.bytesPerFrame, "a packet has some frames")
            claim(samples.count.isMultiple(of: format.bytesPerFrame), "a packet has whole frames")
        }
    }
}

/// A receiver, and what its actions say.
private struct Model {
    private var receiver = AudioReceiver(sampleRate: 44_100)
    private var now = MonotonicInstant.zero
    private var actions: [AudioReceiver.Action] = []
    /// The number of the last packet that was sent in order.
    private(set) var newest = UInt16.max
    /// The number of the next packet to be delivered; `nil` if any may be.
    private var expected: UInt16?
    private var (delivered, lost, requested, restarted) = (0, 0, 0, 0)
    private var requests: [(time: MonotonicInstant, count: Int)] = []

    mutating func receive(_ sequence: UInt16, length: Int, isResent: Bool = false) {
        if !isResent { newest = sequence }
        let payload = [UInt8(sequence >> 8), UInt8(sequence & 0xFF)] + [UInt8](repeating: 0, count: length)
        receiver.receive(
            payload,
            sequence: sequence,
            timestamp: UInt32(sequence) &* 352,
            isResent: isResent,
            at: now,
            into: &actions
        )
    }

    mutating func advance(milliseconds: Int) {
        now = now.advanced(by: .milliseconds(milliseconds))
        receiver.advance(to: now, into: &actions)
    }

    mutating func synchronize(_ timestamp: UInt32, isFirst: Bool) {
        let packet = ControlPacket.Synchronization(
            isFirst: isFirst,
            timestamp: timestamp,
            time: NTPTime(now),
            nextTimestamp: timestamp
        )
        receiver.synchronize(packet, at: now)
        if let drift = receiver.driftPartsPerMillion { claim(drift.isFinite, "a drift is a number") }
    }

    mutating func flush(_ kind: UInt8) {
        // What was delivered before the flush is checked first.
        check()
        let sequence = kind & 1 == 0 ? nil : newest &+ UInt16(kind >> 2)
        receiver.flush(sequence: sequence, timestamp: kind & 2 == 0 ? nil : UInt32(newest) &* 352, at: now)
        expected = sequence
        claim(receiver.bufferedCount == 0 && receiver.nextDeadline == nil, "a flush removes all packets")
    }

    mutating func check() {
        for action in actions { check(action) }
        actions.removeAll(keepingCapacity: true)
        let counts = receiver.counts
        let sum = counts.delivered + counts.late + counts.duplicate + counts.discarded + receiver.bufferedCount
        claim(counts.received == sum, "a packet is in one place")
        claim(counts.delivered == delivered && counts.lost == lost, "what is delivered and lost is counted")
        claim(counts.requested == requested && counts.jumps == restarted, "requests and jumps are counted")
        claim(counts.resent + counts.reordered <= counts.received, "a packet fills one place")
        claim((0...AudioReceiver.windowCapacity).contains(receiver.bufferedCount), "the window is limited")
        if let deadline = receiver.nextDeadline { claim(deadline > now, "nothing is due that was not handled") }
        claim(receiver.bufferedCount == 0 || receiver.nextDeadline != nil, "what waits has a deadline")
    }

    private mutating func check(_ action: AudioReceiver.Action) {
        switch action {
        case .deliver(let payload, let sequence, let timestamp):
            delivered += 1
            claim(expected == nil || expected == sequence, "packets are delivered in order")
            claim(payload.prefix(2) == [UInt8(sequence >> 8), UInt8(sequence & 0xFF)], "a payload is unchanged")
            claim(timestamp == UInt32(sequence) &* 352, "a timestamp is unchanged")
            expected = sequence &+ 1
        case .lost(let count):
            claim((1...AudioReceiver.windowCapacity).contains(count), "at most the whole window is lost")
            lost += count
            expected = expected.map { $0 &+ UInt16(count) }
        case .restarted:
            restarted += 1
            expected = nil
        case .request(let first, let count):
            claim((1...AudioReceiver.maximumGap).contains(count), "a request is not larger than a gap")
            claim(Int(first) + count <= 65_536, "a request does not wrap")
            requested += count
            requests.append((now, count))
            requests.removeAll { $0.time.advanced(by: .seconds(1)) <= now }
            let sum = requests.reduce(0) { $0 + $1.count }
            claim(sum <= AudioReceiver.maximumRequestsPerSecond, "requests are limited")
        }
    }
}
