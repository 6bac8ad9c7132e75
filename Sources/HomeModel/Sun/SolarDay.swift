/// What the sun does on one day at one place.
package struct SolarDay: Sendable, Hashable {
    /// How much of the day is light.
    package enum Daylight: Sendable, Hashable {
        /// It rises and sets.
        case between(sunrise: WallInstant, sunset: WallInstant)
        /// It does not set: polar day.
        case allDay
        /// It does not rise: polar night.
        case none
    }

    /// When it is highest.
    package let noon: WallInstant
    /// When it is up.
    package let daylight: Daylight

    /// When it rises or sets; `nil` when it does not.
    package func event(_ event: SunEvent) -> WallInstant? {
        switch (daylight, event) {
        case (.between(let sunrise, _), .sunrise): sunrise
        case (.between(_, let sunset), .sunset): sunset
        case (.allDay, _), (.none, _): nil
        }
    }

    /// When light begins or ends for who asks whether it is dark, which is never left open.
    ///
    /// A polar day is light from before midnight until after midnight, since its noons are not quite a day apart; a polar
    /// night has a nanosecond of light at noon. So it is never between sunset and sunrise there, or always; an hour after
    /// an event that does not come would make an hour of the other of it, and there is none.
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
