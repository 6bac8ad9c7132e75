import TestSupport

/// The colors that were written to a light, to check what a kill has lost.
struct WriteHistory {
    /// A color; each hue has its own saturation, so that a color that is only half stored is detected.
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

    /// The number of colors until they repeat.
    static let capacity = 360

    /// The time before a kill from which values may be lost.
    static let lossWindow = Duration.seconds(1)

    private var written: [(color: Color, acknowledgedAt: ContinuousClock.Instant?)] = [(Color(hue: 0), nil)]

    /// The number of colors that were written since the last check.
    var count: Int { written.count - 1 }

    /// Returns the next color to write.
    mutating func nextColor() -> Color {
        let color = Color(hue: ((written.last?.color.hue ?? 0) + 1) % UInt64(Self.capacity))
        written.append((color, nil))
        return color
    }

    /// Records that the last color was acknowledged.
    mutating func acknowledge() {
        written[written.count - 1].acknowledgedAt = .now
    }

    /// The last color that was written.
    var latest: Color? { written.last?.color }

    /// Allows the loss of all colors, because the disk has failed.
    mutating func allowLoss() {
        for index in written.indices {
            written[index].acknowledgedAt = nil
        }
    }

    /// Compares the color of a restarted server with those that were written, and starts a new history with it.
    mutating func check(_ found: Color, killedAt moment: ContinuousClock.Instant) throws {
        guard let index = written.lastIndex(where: { $0.color == found }) else {
            throw TestFailure("the color \(found) was never written")
        }
        let certain = written.lastIndex { entry in
            guard let acknowledgedAt = entry.acknowledgedAt else { return false }
            return acknowledgedAt + Self.lossWindow <= moment
        }
        guard index >= certain ?? 0 else {
            throw TestFailure("the color \(found) is older than one that was written a second before the kill")
        }
        // The color was loaded from the store, so it can no longer be lost.
        written = [(found, nil)]
    }
}
