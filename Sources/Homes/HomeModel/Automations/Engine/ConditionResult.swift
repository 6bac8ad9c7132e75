/// The result of a condition, with the deciding part if it does not hold.
enum ConditionResult: Sendable, Hashable {
    /// The condition holds.
    case met
    /// The condition does not hold because of this part.
    case notMet(Condition<HomeIDs>)
    /// The result is unknown because of this part.
    case unknown(Condition<HomeIDs>)
}
