internal import HAPCore

/// The packets from the next one to deliver up to the newest one, with places for those that are missing.
struct ReorderWindow: Sendable {
    /// The maximum number of places.
    static let capacity = 512

    /// A place for a packet that has not arrived.
    struct Hole: Sendable {
        /// When a later packet has shown that this one is missing.
        let since: MonotonicInstant
        /// When the packet is requested next.
        var due: MonotonicInstant
        /// The number of requests so far.
        var requestCount = 0
    }

    /// A packet that waits for those before it.
    struct Packet: Sendable {
        let sequence: UInt16
        let timestamp: UInt32
        let payload: [UInt8]
    }

    private enum Place: Sendable {
        case unused
        case hole(Hole)
        case packet(Packet)
    }

    /// The number of the packet at the first place, which is delivered next.
    private(set) var first: UInt16
    /// The number of places in use.
    private(set) var count = 0
    /// The number of places in use that are holes.
    private(set) var holeCount = 0
    /// The places by the lower bits of the number of a packet.
    private var places = [Place](repeating: .unused, count: capacity)
    /// Whether the packets before the first place were delivered, by the lower bits of their numbers.
    private var delivered = [Bool](repeating: false, count: capacity)

    init(first: UInt16) {
        self.first = first
    }

    /// The number of packets in the window.
    var packetCount: Int { count - holeCount }

    /// Returns how far a packet is after the first place, from −32,768 to 32,767.
    func offset(of sequence: UInt16) -> Int {
        Int(Int16(bitPattern: sequence &- first))
    }

    /// Returns whether a packet was delivered, which must be one of the last ``capacity`` before the first place.
    func wasDelivered(_ sequence: UInt16) -> Bool {
        delivered[index(sequence)]
    }

    /// The hole at an offset; `nil` if a packet is there or the offset is beyond the places in use.
    func hole(at offset: Int) -> Hole? {
        guard offset >= 0, offset < count, case .hole(let hole) = places[index(sequence(at: offset))] else {
            return nil
        }
        return hole
    }

    /// Changes the hole at an offset, which must be one.
    mutating func setHole(_ hole: Hole, at offset: Int) {
        places[index(sequence(at: offset))] = .hole(hole)
    }

    /// Returns the number of the packet at an offset.
    func sequence(at offset: Int) -> UInt16 {
        first &+ UInt16(truncatingIfNeeded: offset)
    }

    /// Puts a packet into a hole.
    mutating func fill(_ packet: Packet) {
        places[index(packet.sequence)] = .packet(packet)
        holeCount -= 1
    }

    /// Puts a packet after the places in use, and makes holes for those in between.
    ///
    /// The offset of the packet must be at least ``count`` and below ``capacity``.
    mutating func append(_ packet: Packet, holes hole: Hole) {
        let offset = offset(of: packet.sequence)
        for missing in count..<offset { places[index(sequence(at: missing))] = .hole(hole) }
        holeCount += offset - count
        places[index(packet.sequence)] = .packet(packet)
        count = offset + 1
    }

    /// Removes the packet at the first place; `nil` if a hole is there or no place is in use.
    mutating func takeFirst() -> Packet? {
        guard count > 0, case .packet(let packet) = places[index(first)] else { return nil }
        removeFirst(wasDelivered: true)
        return packet
    }

    /// Removes the hole at the first place, which must be one.
    mutating func dropFirstHole() {
        holeCount -= 1
        removeFirst(wasDelivered: false)
    }

    /// Passes over the first place for a packet that is delivered at once; no place may be in use.
    mutating func pass() {
        delivered[index(first)] = true
        first &+= 1
    }

    /// Forgets all places, and continues with a packet.
    mutating func reset(first: UInt16) {
        for offset in 0..<count { places[index(sequence(at: offset))] = .unused }
        for index in delivered.indices { delivered[index] = false }
        (self.first, count, holeCount) = (first, 0, 0)
    }

    private mutating func removeFirst(wasDelivered: Bool) {
        places[index(first)] = .unused
        delivered[index(first)] = wasDelivered
        first &+= 1
        count -= 1
    }

    private func index(_ sequence: UInt16) -> Int {
        Int(sequence) & (Self.capacity - 1)
    }
}
