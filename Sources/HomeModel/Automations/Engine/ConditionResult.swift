/// Whether a condition is so, and which part decides when it is not.
enum ConditionResult: Sendable, Hashable {
    /// It is so.
    case met
    /// It is not, because of this part.
    case notMet(Condition<HomeIDs>)
    /// Nobody knows, because of this part.
    case unknown(Condition<HomeIDs>)
}
