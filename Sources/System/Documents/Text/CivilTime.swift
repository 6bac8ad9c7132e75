internal import HAPCore

/// A time of day, to the second.
public struct CivilTime: Sendable, Hashable {
    /// The hour, 0...23.
    public let hour: Int
    /// The minute, 0...59.
    public let minute: Int
    /// The second, 0...59.
    public let second: Int

    /// Creates a time, or returns `nil` if a part is out of range.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second else { return nil }
        self.init(secondOfDay: (hour * 60 + minute) * 60 + second)
    }

    /// Creates the time at a number of seconds after midnight, limited to the range of a day.
    package init(secondOfDay: Int) {
        let second = min(max(secondOfDay, 0), 86_399)
        hour = second / 3_600
        minute = second / 60 % 60
        self.second = second % 60
    }

    /// Reads a text such as `7:30`, `07:30` or `07:30:15`, and returns `nil` for other texts.
    public init?(_ text: some StringProtocol) {
        let parts = Array(text.utf8.prefix(9)).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, 1...2 ~= parts[0].count, parts.dropFirst().allSatisfy({ $0.count == 2 }) else {
            return nil
        }
        let numbers = parts.compactMap(\.decimal)
        guard numbers.count == parts.count else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
    }

    /// The number of seconds since midnight on a day of 24 hours, 0...86,399.
    public var secondOfDay: Int {
        (hour * 60 + minute) * 60 + second
    }

    /// The first second of the day.
    public static let midnight = CivilTime(secondOfDay: 0)
    /// Noon, 12:00.
    package static let noon = CivilTime(secondOfDay: 43_200)

    /// The time with seconds, such as `07:30:00`.
    package var paddedDescription: String {
        "\(hour.twoDigits):\(minute.twoDigits):\(second.twoDigits)"
    }
}

extension CivilTime: Comparable {
    /// Returns whether one time of day is before another.
    public static func < (lhs: CivilTime, rhs: CivilTime) -> Bool {
        lhs.secondOfDay < rhs.secondOfDay
    }
}

extension CivilTime: CustomStringConvertible {
    /// The time, such as `07:30`, or `07:30:15` if the second is not zero.
    public var description: String {
        second == 0 ? "\(hour.twoDigits):\(minute.twoDigits)" : paddedDescription
    }
}

extension CivilTime: StoredAsText {
    package init?(storedText text: String) { self.init(text) }
}
