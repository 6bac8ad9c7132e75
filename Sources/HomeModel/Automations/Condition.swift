/// What must be so for an automation to run when its trigger comes.
///
/// What nobody knows is not so: neither is its opposite.
public enum Condition: Sendable, Hashable {
    /// All of these, at least one.
    case all([Condition])
    /// One of these, at least one.
    case any([Condition])
    /// Not this.
    indirect case not(Condition)
    /// A test holds for a characteristic at present; not ``CharacteristicTest/changes``.
    case characteristic(CharacteristicSelector, CharacteristicTest)
    /// It is `from` or later, and before `to`; a window that ends earlier than it begins passes midnight.
    ///
    /// Where the sun does not rise it is always between sunset and sunrise, where it does not set never.
    case time(from: TimeBound, to: TimeBound)
    /// It is one of these days.
    case days(WeekdaySet)
    /// Somebody is home, or nobody.
    case presence(PresenceState)

    /// How many conditions may be inside of each other.
    public static let maximumDepth = 8
    /// How many conditions one may consist of, itself included.
    public static let maximumCount = 64
}
