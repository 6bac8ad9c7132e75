internal import AccessoryModel
internal import AirPlay
internal import AsyncPrimitives
internal import HAPCore
internal import HAPServer
internal import Hosting
internal import Simulation
internal import Synchronization

/// The sockets of an audio stream, and what is received by them.
///
/// Packets are handled on the thread of drivers as they arrive.
final class AudioStream: Sendable {
    /// The time between two looks for packets that are missing.
    private static let interval = Duration.milliseconds(50)
    /// The time without a packet after which a sender has paused.
    private static let silence = Duration.seconds(2)
    /// The number of packets that the fault of a resend storm asks for again.
    private static let stormSize = 100

    private let setup: AudioSetup
    private let peerHost: String
    private let cipher: PacketCipher?
    private let state: Mutex<State>
    let recorder: AudioRecorder?
    /// Set when ``run(_:_:)`` has ended.
    private let hasRun = OneShot<Void>()

    fileprivate struct State {
        var receiver: AudioReceiver
        var actions: [AudioReceiver.Action] = []
        var lastPacket: MonotonicInstant?
        var lastSequence: UInt16 = 0
        /// Whether packets have arrived since the last pause.
        var isPlaying = false
        /// The packets of other hosts, or that cannot be read.
        var rejected = 0
        var lossPercent = 0.0
        var random: SeededRandom
        var delay: Duration?
        var delayed: [(MonotonicInstant, [UInt8])] = []
        /// How much faster the clock of the receiver is, in millionths.
        var drift = 0.0
        var start: MonotonicInstant?
    }

    private let sockets = Mutex<(data: DatagramSocket, control: DatagramSocket)?>(nil)

    /// - Parameters:
    ///   - peerHost: The address of the sender; packets of others are ignored.
    ///   - recorder: Stores what is heard; `nil` for no recording.
    init(_ setup: AudioSetup, from peerHost: String, seed: UInt64, recorder: AudioRecorder?) {
        (self.setup, self.peerHost, self.recorder) = (setup, peerHost, recorder)
        cipher = setup.key.map { PacketCipher(key: $0) }
        state = Mutex(
            State(
                receiver: AudioReceiver(sampleRate: setup.format.sampleRate),
                random: SeededRandom(seed: seed)
            )
        )
    }

    /// Opens the sockets, and returns the answer with their ports.
    func open(on host: String, _ port: DriverPort) async throws -> AirPlayResponse {
        let data = try await port.openDatagramSocket(host: host) { [weak self] in self?.receive($0) }
        do {
            let control = try await port.openDatagramSocket(host: host) { [weak self] in self?.receiveControl($0) }
            sockets.withLock { $0 = (data, control) }
            return setup.answer(dataPort: data.port, controlPort: control.port)
        } catch {
            data.close()
            throw error
        }
    }

    /// When a packet has arrived last.
    var lastPacket: MonotonicInstant? { state.withLock(\.lastPacket) }

    private var isOpen: Bool { sockets.withLock { $0 != nil } }

    private func close() {
        let sockets = sockets.withLock { sockets in
            defer { sockets = nil }
            return sockets
        }
        sockets?.data.close()
        sockets?.control.close()
    }

    /// Closes the sockets, delivers what has arrived, and stores the recording.
    func end(_ port: DriverPort, _ peer: PeerID) async {
        close()
        // What `run` reports is earlier than what follows.
        await hasRun.waitUnlessCancelled()
        state.withLock { state in
            // What is missing now does not arrive any more.
            state.receiver.advance(to: .now.advanced(by: AudioReceiver.patience), into: &state.actions)
            perform(&state)
        }
        let summary = summary
        await port.deliver(.message(AirPlayDelivery(.measured(summary)), from: peer))
        port.emit(DriverEvent("received", summary.details))
        guard let recorder else { return }
        if let failure = await recorder.store(isLast: true) {
            port.emit(DriverEvent("unrecorded", ["reason": failure.prefix(utf8Bytes: 256)], isWarning: true))
        } else if let path = recorder.path {
            let length = (recorder.seconds * 10).rounded() / 10
            port.emit(DriverEvent("recorded", ["file": path, "duration": "\(length) s"]))
        }
    }

    // MARK: Packets

    private func receive(_ datagram: Datagram) {
        guard datagram.host == peerHost else { return state.withLock { $0.rejected += 1 } }
        let now = MonotonicInstant.now
        state.withLock { state in
            if state.lossPercent > 0, Double.random(in: 0..<100, using: &state.random) < state.lossPercent { return }
            if let delay = state.delay {
                if state.delayed.count < AudioReceiver.windowCapacity {
                    state.delayed.append((now.advanced(by: delay), datagram.bytes))
                }
                return
            }
            accept(datagram.bytes, isResent: false, at: now, &state)
        }
    }

    private func receiveControl(_ datagram: Datagram) {
        guard datagram.host == peerHost else { return state.withLock { $0.rejected += 1 } }
        let now = MonotonicInstant.now
        guard let packet = try? ControlPacket(parsing: datagram.bytes.span) else {
            return state.withLock { $0.rejected += 1 }
        }
        state.withLock { state in
            switch packet {
            case .synchronization(let synchronization):
                state.receiver.synchronize(synchronization, at: state.shifted(now))
            case .resent(let bytes): accept(bytes, isResent: true, at: now, &state)
            case .timingRequest(let timing):
                let time = NTPTime(now)
                reply(.timingReply(timing.reply(received: time, sent: time)), to: datagram)
            // The receiver asks for packets, and does not ask for the time.
            case .resendRequest, .timingReply: break
            }
        }
    }

    private func accept(_ bytes: [UInt8], isResent: Bool, at now: MonotonicInstant, _ state: inout State) {
        guard let packet = try? RTPPacket(parsing: bytes.span),
            let payload = cipher.map({ $0.open(bytes, packet) }) ?? Array(bytes[packet.content])
        else {
            state.rejected += 1
            return
        }
        let former = state.receiver.counts
        state.receiver.receive(
            payload,
            sequence: packet.sequence,
            timestamp: packet.timestamp,
            isResent: isResent,
            at: now,
            into: &state.actions
        )
        let counts = state.receiver.counts
        // A packet from before a flush is not played.
        if !isResent, counts.late == former.late, counts.discarded == former.discarded {
            state.lastPacket = now
            state.lastSequence = packet.sequence
        }
        perform(&state)
    }

    private func perform(_ state: inout State) {
        guard !state.actions.isEmpty else { return }
        for action in state.actions {
            switch action {
            case .deliver(let payload, _, _): recorder?.append(payload)
            case .lost(let count): recorder?.appendSilence(packets: count)
            case .request(let first, let count): request(first, count)
            case .restarted: break
            }
        }
        state.actions.removeAll(keepingCapacity: true)
    }

    private func reply(_ packet: ControlPacket, to datagram: Datagram) {
        sockets.withLock { $0?.control }?.send(packet.bytes, to: datagram.host, port: datagram.port)
    }

    /// Asks the sender for packets again.
    private func request(_ first: UInt16, _ count: Int) {
        guard let controlPort = setup.controlPort, let socket = sockets.withLock({ $0?.control }) else { return }
        let request = ControlPacket.ResendRequest(first: first, count: UInt16(clamping: count))
        socket.send(ControlPacket.resendRequest(request).bytes, to: peerHost, port: controlPort)
    }

    /// Drops what has not been delivered, and returns whether the sender has played until now.
    func flush(_ position: RTPPosition?) -> Bool {
        state.withLock { state in
            state.receiver.flush(sequence: position?.sequence, timestamp: position?.timestamp, at: .now)
            (state.delayed, state.lastPacket) = ([], nil)
            defer { state.isPlaying = false }
            return state.isPlaying
        }
    }

    // MARK: Time

    /// Looks after the stream until it is closed: asks for missing packets, applies faults, and informs the
    /// device each second of what was received.
    func run(_ port: DriverPort, _ peer: PeerID) async {
        defer { hasRun.set() }
        var lost = 0
        var lastReport: MonotonicInstant?
        while (try? await Task.sleep(for: Self.interval)) != nil, isOpen {
            let now = MonotonicInstant.now
            let change = state.withLock { state -> SenderMessage? in
                state.receiver.advance(to: now, into: &state.actions)
                perform(&state)
                let due = state.delayed.prefix { $0.0 <= now }
                state.delayed.removeFirst(due.count)
                for (_, bytes) in due { accept(bytes, isResent: false, at: now, &state) }
                let isPlaying = state.lastPacket.map { $0.duration(to: now) < Self.silence } ?? false
                guard isPlaying != state.isPlaying else { return nil }
                state.isPlaying = isPlaying
                return isPlaying ? .play : .pause
            }
            if let change { await port.deliver(.message(AirPlayDelivery(change), from: peer)) }
            guard lastReport.map({ $0.duration(to: now) >= .seconds(1) }) ?? true else { continue }
            lastReport = now
            if port.hasFaults { await applyFaults(port) }
            await recorder?.store()
            let summary = summary
            guard isOpen else { return }
            await port.deliver(.message(AirPlayDelivery(.measured(summary)), from: peer))
            if summary.lost > lost {
                port.emit(DriverEvent("packetsLost", ["count": "\(summary.lost - lost)"], isWarning: true))
                lost = summary.lost
            }
        }
    }

    /// What was received since the stream was set up.
    var summary: AudioSummary {
        state.withLock { state in
            let counts = state.receiver.counts
            var summary = AudioSummary()
            (summary.received, summary.lost, summary.late) = (counts.received, counts.lost, counts.late)
            (summary.reordered, summary.resent) = (counts.reordered, counts.resent)
            summary.rejected = state.rejected
            summary.drift = state.receiver.driftPartsPerMillion ?? 0
            summary.format = setup.format.description
            summary.recorded = recorder?.seconds
            return summary
        }
    }

    private func applyFaults(_ port: DriverPort) async {
        let loss = await port.takeNumber(ofFault: "lostPackets") ?? 0
        let delay = await port.takeNumber(ofFault: "latePackets").map { Duration.milliseconds(Int64($0)) }
        let drift = await port.takeNumber(ofFault: "clockDrift")
        let isStorm = await port.take(fault: "resendStorm")
        let first = state.withLock { state in
            (state.lossPercent, state.delay) = (loss, delay)
            if let drift { state.drift = drift }
            return state.lastSequence &- UInt16(Self.stormSize)
        }
        guard isStorm else { return }
        for _ in 0..<10 where isOpen {
            // A request does not wrap.
            let count = min(Self.stormSize, Int(UInt16.max - first) + 1)
            request(first, count)
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}

extension AudioSummary {
    /// The numbers for the log and for scenarios.
    fileprivate var details: [String: String] {
        [
            "format": format, "packets": "\(received)", "lost": "\(lost)", "late": "\(late)",
            "reordered": "\(reordered)", "resent": "\(resent)", "rejected": "\(rejected)",
            "drift": "\(Int(drift.rounded())) ppm",
        ]
    }
}

extension AudioStream.State {
    /// The instant on the clock of the receiver, which a fault makes faster or slower.
    fileprivate mutating func shifted(_ now: MonotonicInstant) -> MonotonicInstant {
        let start = start ?? now
        self.start = start
        guard drift != 0 else { return now }
        return now.advanced(by: start.duration(to: now) * (drift / 1e6))
    }
}

/// Opens the packets of an encrypted stream.
///
/// The nonce is in the last eight bytes of a packet, the tag before it. The timestamp and the source are authenticated.
private struct PacketCipher: Sendable {
    private static let nonceLength = 8

    let key: StreamKey

    /// Returns the payload; `nil` for a packet that is too short, or was changed.
    func open(_ bytes: [UInt8], _ packet: RTPPacket) -> [UInt8]? {
        let size = packet.content.count - Self.nonceLength - ChaChaPoly.tagLength
        guard size >= 0 else { return nil }
        let nonce = bytes[(packet.content.upperBound - Self.nonceLength)..<packet.content.upperBound].reversed()
            .reduce(0) { $0 << 8 | UInt64($1) }
        var isOpened = false
        let payload = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            bytes.withUnsafeBytes { bytes in
                let sealed = packet.content.lowerBound..<packet.content.upperBound - Self.nonceLength
                isOpened = key.bytes.withBytes { key in
                    ChaChaPoly.open(
                        UnsafeRawBufferPointer(rebasing: bytes[sealed]),
                        authenticating: UnsafeRawBufferPointer(rebasing: bytes[RTPPacket.authenticatedRange]),
                        nonce: nonce,
                        key: key,
                        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[..<size])
                    )
                }
            }
            count = isOpened ? size : 0
        }
        return isOpened ? payload : nil
    }
}
