import TestSupport

/// The colors that were written to a light, to tell what a kill may have lost.
struct WriteHistory {
    /// A color; every hue has a saturation that belongs to it, so that half of one is noticed.
    struct Color: Equatable {
        var hue: UInt64
        var saturation: UInt64

        init(hue: UInt64) {
            self.init(hue: hue, saturation: hue % 97)
        }

        init(hue: UInt64, saturation: UInt64) {
            self.hue = hue
            self.saturation = saturation
        }
    }

    /// How many can be written until one comes again.
    static let capacity = 360

    /// How much of the last moments a kill may lose.
    static let lossWindow = Duration.seconds(1)

    private var written: [(color: Color, acknowledgedAt: ContinuousClock.Instant?)] = [(Color(hue: 0), nil)]

    /// How many were written since the last check.
    var count: Int { written.count - 1 }

    /// The color to write now.
    mutating func nextColor() -> Color {
        let color = Color(hue: ((written.last?.color.hue ?? 0) + 1) % UInt64(Self.capacity))
        written.append((color, nil))
        return color
    }

    /// The last one has been acknowledged.
    mutating func acknowledge() {
        written[written.count - 1].acknowledgedAt = .now
    }

    /// The last one that was written.
    var latest: Color? { written.last?.color }

    /// A disk that failed may have lost all of them.
    mutating func allowLoss() {
        for index in written.indices {
            written[index].acknowledgedAt = nil
        }
    }

    /// Holds what a restarted server has against what was written, and begins anew from it.
    mutating func check(_ found: Color, killedAt moment: ContinuousClock.Instant) throws {
        guard let index = written.lastIndex(where: { $0.color == found }) else {
            throw TestFailure("the color \(found) was never written")
        }
        let certain = written.lastIndex { entry in
            guard let acknowledgedAt = entry.acknowledgedAt else { return false }
            return acknowledgedAt + Self.lossWindow <= moment
        }
        guard index >= certain ?? 0 else {
            throw TestFailure("the color \(found) is older than what was written a second before the kill")
        }
        // It was loaded from the store, where it is certain.
        written = [(found, nil)]
    }
}
