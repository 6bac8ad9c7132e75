internal import HAPCore

/// Measures how much faster the clock of a sender runs than that of the receiver.
///
/// It fits a line to the times of RTP of the last 64 synchronizations over their arrivals, so that delays of the
/// network cancel out.
struct ClockDrift: Sendable {
    /// The maximum number of measurements.
    static let capacity = 64
    /// The number of measurements before there is a result.
    static let minimumCount = 8
    /// The least time between two measurements, so that a flood of packets does not replace the older ones.
    static let minimumInterval = Duration.milliseconds(250)
    /// A difference between the times of more seconds is a jump, and the measurement begins again.
    static let maximumJump = 1.0

    /// Seconds since the first measurement.
    private struct Point: Sendable {
        let arrival: Double
        let time: Double
    }

    private let sampleRate: Double
    private var points: [Point] = []
    /// The place of the next point when all are in use.
    private var next = 0
    private var last: (arrival: MonotonicInstant, timestamp: UInt32, point: Point)?

    init(sampleRate: Int) {
        self.sampleRate = Double(max(sampleRate, 1))
    }

    mutating func add(timestamp: UInt32, at arrival: MonotonicInstant) {
        guard let last else { return reset(timestamp, arrival) }
        let elapsed = last.arrival.duration(to: arrival)
        guard elapsed >= Self.minimumInterval else { return }
        let seconds = elapsed / .seconds(1)
        let advance = Double(Int32(bitPattern: timestamp &- last.timestamp)) / sampleRate
        guard abs(advance - seconds) <= Self.maximumJump else { return reset(timestamp, arrival) }
        append(Point(arrival: last.point.arrival + seconds, time: last.point.time + advance), timestamp, arrival)
    }

    /// Forgets all measurements.
    mutating func reset() {
        points.removeAll(keepingCapacity: true)
        (next, last) = (0, nil)
    }

    /// The difference in parts per million, positive if the sender is faster; `nil` without enough measurements.
    var partsPerMillion: Double? {
        guard points.count >= Self.minimumCount else { return nil }
        let count = Double(points.count)
        let arrival = points.reduce(0) { $0 + $1.arrival } / count
        let time = points.reduce(0) { $0 + $1.time } / count
        var (product, square) = (0.0, 0.0)
        for point in points {
            product += (point.arrival - arrival) * (point.time - time)
            square += (point.arrival - arrival) * (point.arrival - arrival)
        }
        return square > 0 ? (product / square - 1) * 1e6 : nil
    }

    private mutating func reset(_ timestamp: UInt32, _ arrival: MonotonicInstant) {
        reset()
        append(Point(arrival: 0, time: 0), timestamp, arrival)
    }

    private mutating func append(_ point: Point, _ timestamp: UInt32, _ arrival: MonotonicInstant) {
        last = (arrival, timestamp, point)
        guard points.count == Self.capacity else { return points.append(point) }
        points[next] = point
        next = (next + 1) % Self.capacity
    }
}
