/// The solar noon and the daylight of one day at one place.
package struct SolarDay: Sendable, Hashable {
    /// The period of daylight on a day.
    package enum Daylight: Sendable, Hashable {
        /// The sun rises and sets.
        case between(sunrise: WallInstant, sunset: WallInstant)
        /// The sun does not set: polar day.
        case allDay
        /// The sun does not rise: polar night.
        case none
    }

    /// The solar noon, when the sun is highest.
    package let noon: WallInstant
    /// The period of daylight.
    package let daylight: Daylight

    /// Returns the instant of sunrise or sunset, or `nil` if there is none on this day.
    package func event(_ event: SunEvent) -> WallInstant? {
        switch (daylight, event) {
        case (.between(let sunrise, _), .sunrise): sunrise
        case (.between(_, let sunset), .sunset): sunset
        case (.allDay, _), (.none, _): nil
        }
    }

    /// Returns the boundary of daylight for a test of whether it is dark, also on days without sunrise or sunset.
    ///
    /// On a polar day, daylight lasts from shortly before midnight until shortly after the next midnight, because solar
    /// noons are not exactly a day apart. On a polar night, it lasts a nanosecond at noon. So every time of a
    /// polar night is between sunset and sunrise, and no time of a polar day is. The offset is ignored on such days,
    /// because an event that does not occur has no time before or after it.
    func boundary(_ event: SunEvent, offset: Duration) -> WallInstant {
        switch (daylight, event) {
        case (.between(let sunrise, _), .sunrise): sunrise.advanced(by: offset)
        case (.between(_, let sunset), .sunset): sunset.advanced(by: offset)
        case (.allDay, .sunrise): noon.advanced(by: .seconds(-43_260))
        case (.allDay, .sunset): noon.advanced(by: .seconds(43_260))
        case (.none, .sunrise): noon
        case (.none, .sunset): noon.advanced(by: .nanoseconds(1))
        }
    }
}
