internal import AccessoryModel

/// Hardware that does not speak up by itself: how often it is asked, and how.
struct PolledValue: Sendable {
    /// The time from an answer to the next question.
    let period: Duration
    /// Fetches the present value; `nil` says nothing.
    let read: @Sendable () async throws -> CharacteristicValue?
}
