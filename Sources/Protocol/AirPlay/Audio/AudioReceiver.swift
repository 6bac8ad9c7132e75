package import HAPCore

/// Puts the packets of a realtime stream in order, and requests those that are missing.
///
/// It reads no clock and sends nothing: each call appends ``Action``s that the caller performs in their order. A call
/// with an instant before the last one counts as a call at the last one. A packet in order costs no allocation.
package struct AudioReceiver: Sendable {
    /// The maximum number of packets from the next one to deliver up to the newest one.
    package static let windowCapacity = ReorderWindow.capacity
    /// The maximum number of packets that can be missing between two packets of a stream.
    package static let maximumGap = 128
    /// The maximum number of bytes of a payload.
    package static let maximumPayloadLength = 16_384
    /// When a missing packet is requested, counted from the arrival of a later one.
    package static let requestTimes: [Duration] = [.milliseconds(40), .milliseconds(80), .milliseconds(160)]
    /// The time after which a missing packet is lost, counted from the arrival of a later one.
    package static let patience = Duration.seconds(1)
    /// The maximum number of packets that are requested in any second.
    package static let maximumRequestsPerSecond = 2 * RequestLimiter.burst

    /// Something that the caller must do.
    package enum Action: Sendable, Hashable {
        /// Play or store a payload. Payloads are delivered in the order of their numbers.
        case deliver(payload: [UInt8], sequence: UInt16, timestamp: UInt32)
        /// Send a request for packets. They do not extend beyond the number 65,535: some senders do not wrap it.
        case request(first: UInt16, count: Int)
        /// Play or store silence for this many packets, which come before the next payload.
        case lost(Int)
        /// Begin a new stream: the next payload does not follow the one before.
        case restarted
    }

    /// Numbers of packets since the receiver was created.
    ///
    /// Each packet that was received is delivered, late, duplicate, discarded or in the window.
    package struct Counts: Sendable, Hashable {
        /// The packets that have arrived, those that were resent also.
        package fileprivate(set) var received = 0
        /// The bytes of the payloads that have arrived.
        package fileprivate(set) var bytes = 0
        /// The packets that were delivered.
        package fileprivate(set) var delivered = 0
        /// The packets that were given up.
        package fileprivate(set) var lost = 0
        /// The packets that have arrived after they were given up, or are from before the begin of the stream.
        package fileprivate(set) var late = 0
        /// The packets that have arrived again.
        package fileprivate(set) var duplicate = 0
        /// The packets that have arrived after a later one without having been resent.
        package fileprivate(set) var reordered = 0
        /// The requests for packets; a packet is counted each time.
        package fileprivate(set) var requested = 0
        /// The missing packets that were resent.
        package fileprivate(set) var resent = 0
        /// The jumps in the numbers, each of which has restarted the stream.
        package fileprivate(set) var jumps = 0
        /// The packets that a flush has removed, that have too long a payload, or that were resent out of place.
        package fileprivate(set) var discarded = 0
    }

    /// Numbers of packets since the receiver was created.
    package private(set) var counts = Counts()

    private var window = ReorderWindow(first: 0)
    /// Whether the number of the next packet is known.
    private var isStarted = false
    private var drift: ClockDrift
    private var limiter = RequestLimiter()
    private var now = MonotonicInstant(nanoseconds: .min)
    /// Packets before this time of RTP are from before a flush, until an instant.
    private var flushed: (timestamp: UInt32, until: MonotonicInstant)?

    /// The instant at which ``advance(to:into:)`` must be called; `nil` if no packet is missing.
    package private(set) var nextDeadline: MonotonicInstant?

    /// Creates a receiver that begins with the first packet that arrives.
    ///
    /// - Parameter sampleRate: The number of frames per second.
    package init(sampleRate: Int) {
        drift = ClockDrift(sampleRate: sampleRate)
    }

    /// The number of packets that wait for one before them, at most ``windowCapacity``.
    package var bufferedCount: Int { window.packetCount }

    /// How much faster the clock of the sender runs, in parts per million; `nil` in the first seconds of a stream.
    package var driftPartsPerMillion: Double? { drift.partsPerMillion }

    // MARK: Inputs

    /// Receives a packet of audio.
    ///
    /// - Parameters:
    ///   - payload: The decrypted content, at most ``maximumPayloadLength`` bytes.
    ///   - sequence: The number of the packet.
    ///   - timestamp: The time of RTP of its first frame.
    ///   - isResent: Whether the packet was resent. Such a packet does not restart the stream.
    ///   - now: The instant of its arrival.
    ///   - actions: The actions, to which new ones are appended.
    package mutating func receive(
        _ payload: [UInt8],
        sequence: UInt16,
        timestamp: UInt32,
        isResent: Bool = false,
        at now: MonotonicInstant,
        into actions: inout [Action]
    ) {
        advance(to: now, into: &actions)
        counts.received += 1
        counts.bytes += payload.count
        guard payload.count <= Self.maximumPayloadLength, !isFromBeforeFlush(timestamp) else {
            counts.discarded += 1
            return
        }
        let packet = ReorderWindow.Packet(sequence: sequence, timestamp: timestamp, payload: payload)
        guard isStarted else {
            if isResent {
                counts.discarded += 1
            } else {
                start(at: sequence)
                append(packet, &actions)
            }
            return
        }
        let offset = window.offset(of: sequence)
        let isJump = offset < -Self.windowCapacity || offset - window.count > Self.maximumGap
        if isJump, isResent {
            counts.discarded += 1
        } else if isJump {
            restart(at: sequence, &actions)
            append(packet, &actions)
        } else if offset >= window.count {
            append(packet, &actions)
        } else if window.hole(at: offset) != nil {
            if isResent { counts.resent += 1 } else { counts.reordered += 1 }
            window.fill(packet)
            deliverReady(&actions)
        } else if offset >= 0 || window.wasDelivered(sequence) {
            counts.duplicate += 1
        } else {
            counts.late += 1
        }
    }

    /// Receives a synchronization, which arrived at this instant on the clock whose drift is measured.
    package mutating func synchronize(_ synchronization: ControlPacket.Synchronization, at now: MonotonicInstant) {
        if synchronization.isFirst { drift.reset() }
        drift.add(timestamp: synchronization.timestamp, at: now)
    }

    /// Removes the packets that were not delivered.
    ///
    /// The caller also discards the audio that it has not played yet. A RECORD request that names the first packet is a
    /// flush, too.
    ///
    /// - Parameters:
    ///   - sequence: The number of the next packet; `nil` if the next one that arrives is the first.
    ///   - timestamp: The time of RTP of the next packet. Without a number, earlier packets are discarded for a second.
    package mutating func flush(sequence: UInt16?, timestamp: UInt32?, at now: MonotonicInstant) {
        self.now = max(self.now, now)
        counts.discarded += window.packetCount
        window.reset(first: sequence ?? 0)
        isStarted = sequence != nil
        nextDeadline = nil
        flushed = sequence == nil ? timestamp.map { ($0, self.now.advanced(by: Self.patience)) } : nil
    }

    /// Requests the packets that are missing, and gives up those that have been missing for ``patience``.
    package mutating func advance(to now: MonotonicInstant, into actions: inout [Action]) {
        self.now = max(self.now, now)
        guard let nextDeadline, nextDeadline <= self.now else { return }
        var lost = 0
        while let hole = window.hole(at: 0), hole.since.advanced(by: Self.patience) <= self.now {
            window.dropFirstHole()
            lost += 1
            if window.hole(at: 0) == nil {
                lose(&lost, &actions)
                deliverReady(&actions)
            }
        }
        lose(&lost, &actions)
        requestMissing(&actions)
    }

    // MARK: Order

    private mutating func start(at sequence: UInt16) {
        window.reset(first: sequence)
        isStarted = true
        flushed = nil
    }

    private mutating func restart(at sequence: UInt16, _ actions: inout [Action]) {
        removeFirst(window.count, &actions)
        counts.jumps += 1
        actions.append(.restarted)
        start(at: sequence)
        nextDeadline = nil
    }

    /// Adds a packet that is newer than all others.
    private mutating func append(_ packet: ReorderWindow.Packet, _ actions: inout [Action]) {
        let offset = window.offset(of: packet.sequence)
        guard offset > 0 else {
            window.pass()
            return deliver(packet, &actions)
        }
        let hasGap = offset > window.count
        let due = now.advanced(by: Self.requestTimes[0])
        let excess = offset - (Self.windowCapacity - 1)
        if excess > 0 {
            removeFirst(excess, &actions)
            deliverReady(&actions)
        }
        window.append(packet, holes: ReorderWindow.Hole(since: now, due: due))
        if hasGap { nextDeadline = min(nextDeadline ?? due, due) }
        deliverReady(&actions)
    }

    /// Delivers the packets of the first places, and gives up the holes between them.
    private mutating func removeFirst(_ count: Int, _ actions: inout [Action]) {
        var lost = 0
        for _ in 0..<count {
            if let packet = window.takeFirst() {
                lose(&lost, &actions)
                deliver(packet, &actions)
            } else if window.hole(at: 0) != nil {
                window.dropFirstHole()
                lost += 1
            }
        }
        lose(&lost, &actions)
    }

    private mutating func deliverReady(_ actions: inout [Action]) {
        while let packet = window.takeFirst() { deliver(packet, &actions) }
        if window.holeCount == 0 { nextDeadline = nil }
    }

    private mutating func deliver(_ packet: ReorderWindow.Packet, _ actions: inout [Action]) {
        counts.delivered += 1
        actions.append(
            .deliver(payload: packet.payload, sequence: packet.sequence, timestamp: packet.timestamp)
        )
    }

    private mutating func lose(_ lost: inout Int, _ actions: inout [Action]) {
        guard lost > 0 else { return }
        counts.lost += lost
        actions.append(.lost(lost))
        lost = 0
    }

    private mutating func isFromBeforeFlush(_ timestamp: UInt32) -> Bool {
        guard let flushed else { return false }
        guard now < flushed.until else {
            self.flushed = nil
            return false
        }
        return Int32(bitPattern: timestamp &- flushed.timestamp) < 0
    }

    // MARK: Requests

    /// Requests the missing packets that are due, and finds the next deadline.
    private mutating func requestMissing(_ actions: inout [Action]) {
        nextDeadline = nil
        guard window.holeCount > 0 else { return }
        let available = limiter.available(at: now)
        var used = 0
        var isLimited = false
        var run: (first: UInt16, count: Int)?
        for offset in 0..<window.count {
            guard var hole = window.hole(at: offset) else { continue }
            var deadline = hole.since.advanced(by: Self.patience)
            if hole.requestCount < Self.requestTimes.count {
                if hole.due <= now, used < available {
                    used += 1
                    request(window.sequence(at: offset), &run, &actions)
                    hole = requested(hole)
                    window.setHole(hole, at: offset)
                }
                if hole.due <= now { isLimited = true } else { deadline = min(deadline, hole.due) }
            }
            nextDeadline = min(nextDeadline ?? deadline, deadline)
        }
        if let run { actions.append(.request(first: run.first, count: run.count)) }
        counts.requested += used
        limiter.take(used, at: now)
        if isLimited { nextDeadline = min(nextDeadline ?? limiter.nextInstant, limiter.nextInstant) }
    }

    /// Returns a hole after one more request.
    private func requested(_ hole: ReorderWindow.Hole) -> ReorderWindow.Hole {
        var hole = hole
        hole.requestCount += 1
        guard hole.requestCount < Self.requestTimes.count else {
            hole.due = hole.since.advanced(by: Self.patience)
            return hole
        }
        // A request that was late does not make the next one follow at once.
        let usual = hole.since.advanced(by: Self.requestTimes[hole.requestCount])
        hole.due = max(usual, now.advanced(by: Self.requestTimes[0]))
        return hole
    }

    /// Adds a packet to a run of packets, or begins a new run.
    private func request(_ sequence: UInt16, _ run: inout (first: UInt16, count: Int)?, _ actions: inout [Action]) {
        if let (first, count) = run {
            if sequence != 0, sequence == first &+ UInt16(truncatingIfNeeded: count) {
                run = (first, count + 1)
                return
            }
            actions.append(.request(first: first, count: count))
        }
        run = (sequence, 1)
    }
}
