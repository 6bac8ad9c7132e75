internal import Documents
internal import HomeModel
internal import Synchronization

/// The abstract base class of events at a time.
open class HMTimeEvent: HMEvent, @unchecked Sendable {}

/// An event at a time of day.
open class HMCalendarEvent: HMTimeEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    let content: Mutex<DateComponents>

    /// Creates an event.
    ///
    /// - Parameter fireDateComponents: A time of day: hour, minute and second; with a weekday, or with a year, a month and a
    ///   day. A part of a date is refused with `operationNotSupported`.
    public init(fire fireDateComponents: DateComponents) {
        content = Mutex(fireDateComponents)
        super.init(loaded: nil)
    }

    init(_ components: DateComponents, loaded: Trigger<HomeIDs>?) {
        content = Mutex(components)
        super.init(loaded: loaded)
    }

    /// Returns an event that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { HMCalendarEvent(fireDateComponents, loaded: loaded) }

    /// Returns an ``HMMutableCalendarEvent``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { HMMutableCalendarEvent(fireDateComponents, loaded: nil) }

    /// The time of day, and the weekday or the date, if there is one.
    open var fireDateComponents: DateComponents { content.withLock(\.self) }

    override func trigger(in home: Home) throws(HMError) -> Trigger<HomeIDs> {
        var components = fireDateComponents
        if let year = components.year, let month = components.month, let day = components.day {
            (components.year, components.month, components.day, components.weekday) = (nil, nil, nil, nil)
            guard let date = CivilDate(year: year, month: month, day: day) else {
                throw .invalid("This is not a date.")
            }
            let time = try CivilTime(onlyTimeOf: components)
            return .calendar(CivilDateTime(date: date, time: time), .once)
        }
        guard let number = components.weekday else { return .timeOfDay(try CivilTime(onlyTimeOf: components), .daily) }
        guard let day = Weekday(foundation: number) else { throw .invalid("A weekday is a number from 1 to 7.") }
        components.weekday = nil
        return .timeOfDay(try CivilTime(onlyTimeOf: components), .weekly(WeekdaySet([day])))
    }
}

/// A kind of significant event: sunrise or sunset.
public struct HMSignificantEvent: RawRepresentable, Hashable, Sendable {
    /// `sunrise` or `sunset`.
    public let rawValue: String

    /// Creates an event; only those with a constant can be used in a trigger.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sunrise.
    public static let sunrise = HMSignificantEvent(rawValue: SunEvent.sunrise.rawValue)
    /// Sunset.
    public static let sunset = HMSignificantEvent(rawValue: SunEvent.sunset.rawValue)

    init(_ event: SunEvent) { self.init(rawValue: event.rawValue) }
}

/// An event at, before or after sunrise or sunset; the home must have a location.
open class HMSignificantTimeEvent: HMTimeEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    let content: Mutex<(event: HMSignificantEvent, offset: DateComponents?)>

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - significantEvent: Sunrise or sunset.
    ///   - offset: Hours and minutes; negative ones mean before. At most 12 hours.
    public init(significantEvent: HMSignificantEvent, offset: DateComponents?) {
        content = Mutex((significantEvent, offset))
        super.init(loaded: nil)
    }

    init(_ event: HMSignificantEvent, _ offset: DateComponents?, loaded: Trigger<HomeIDs>?) {
        content = Mutex((event, offset))
        super.init(loaded: loaded)
    }

    /// Returns an event that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { HMSignificantTimeEvent(significantEvent, offset, loaded: loaded) }

    /// Returns an ``HMMutableSignificantTimeEvent``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        HMMutableSignificantTimeEvent(significantEvent, offset, loaded: nil)
    }

    /// Sunrise or sunset.
    open var significantEvent: HMSignificantEvent { content.withLock(\.event) }
    /// Hours and minutes; negative ones mean before.
    open var offset: DateComponents? { content.withLock(\.offset) }

    /// The event and the offset as a home stores them.
    func bound() throws(HMError) -> (SunEvent, Duration) {
        guard let event = SunEvent(rawValue: significantEvent.rawValue) else {
            throw .invalid("Unknown significant event. Use sunrise or sunset.")
        }
        let offset = offset ?? DateComponents()
        guard offset.year == nil, offset.month == nil, offset.day == nil, -12...12 ~= offset.hour ?? 0,
            -720...720 ~= offset.minute ?? 0, -43_200...43_200 ~= offset.second ?? 0
        else { throw .invalid("The offset must be at most 12 hours, in hours and minutes.") }
        let seconds = 3600 * (offset.hour ?? 0) + 60 * (offset.minute ?? 0) + (offset.second ?? 0)
        return (event, .seconds(seconds))
    }

    open override class func isSupported(for home: HMHome) -> Bool { home.modelReference?.model.place != nil }

    override func trigger(in home: Home) throws(HMError) -> Trigger<HomeIDs> {
        let (event, offset) = try bound()
        return .sun(event, offset: offset, .daily)
    }
}

/// A duration after which a trigger's changes end.
///
/// A loaded automation with an interval also shows one as its event.
open class HMDurationEvent: HMTimeEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    let content: Mutex<TimeInterval>

    /// Creates an event.
    public init(duration: TimeInterval) {
        content = Mutex(duration)
        super.init(loaded: nil)
    }

    init(_ duration: TimeInterval, loaded: Trigger<HomeIDs>?) {
        content = Mutex(duration)
        super.init(loaded: loaded)
    }

    /// Returns an event that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { HMDurationEvent(duration, loaded: loaded) }

    /// Returns an ``HMMutableDurationEvent``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { HMMutableDurationEvent(duration, loaded: nil) }

    /// The time in seconds.
    open var duration: TimeInterval { content.withLock(\.self) }
}

extension CivilDateTime {
    /// The components, without a time zone.
    var components: DateComponents {
        var components = time.components
        (components.year, components.month, components.day) = (date.year, date.month, date.day)
        return components
    }
}

extension CivilTime {
    /// Creates a time of day; an hour or a minute is required.
    ///
    /// A year, month, day or weekday is an error.
    init(onlyTimeOf components: DateComponents) throws(HMError) {
        guard components.year == nil, components.month == nil, components.day == nil, components.weekday == nil else {
            throw .unsupported(
                "A calendar event takes a time of day, with a weekday, or with a year, a month and a day."
            )
        }
        guard components.hour != nil || components.minute != nil,
            let time = CivilTime(
                hour: components.hour ?? 0,
                minute: components.minute ?? 0,
                second: components.second ?? 0
            )
        else { throw .invalid("A time of day needs an hour from 0 to 23 and a minute from 0 to 59.") }
        self = time
    }

    /// The hour and the minute, and the second if it is not 0.
    var components: DateComponents { DateComponents(hour: hour, minute: minute, second: second == 0 ? nil : second) }
}

extension Duration {
    /// The offset of a significant event; `nil` for none.
    var offsetComponents: DateComponents? {
        let minutes = Int(components.seconds) / 60
        return minutes == 0 ? nil : DateComponents(hour: minutes / 60, minute: minutes % 60)
    }
}
