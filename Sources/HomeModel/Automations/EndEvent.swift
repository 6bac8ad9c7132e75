/// When what an automation has begun ends by itself, and how.
///
/// Each run begins it anew. It comes also when the automation has been disabled since.
public struct EndEvent: Sendable, Hashable {
    /// When it ends.
    public enum Moment: Sendable, Hashable {
        /// So long after the run; 1 s to 31 days.
        case after(Duration)
        /// When a test becomes true for a characteristic after the run.
        case when(CharacteristicSelector, CharacteristicTest)
        /// So long after a test has become true; it waits again when that ceases to be true before.
        case whenThenAfter(CharacteristicSelector, CharacteristicTest, Duration)
    }

    /// How it ends.
    public enum Ending: Sendable, Hashable {
        /// With these actions: at most one for a characteristic.
        case actions([HomeAction])
        /// With the values that the automation's characteristics had before its run, as far as they were known.
        case restore
    }

    /// When it ends.
    public var moment: Moment
    /// How it ends.
    public var ending: Ending

    /// Creates an end.
    public init(_ moment: Moment, _ ending: Ending) {
        self.moment = moment
        self.ending = ending
    }
}
