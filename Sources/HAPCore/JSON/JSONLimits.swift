/// How much a JSON text may hold before it is refused.
///
/// The length of strings and keys is bounded by the text, which the HTTP layer bounds.
package struct JSONLimits: Sendable, Hashable {
    /// How deep arrays and objects may be nested: `[]` has depth 1.
    package var maximumDepth: Int
    /// How many values the text may hold, arrays and objects and their contents each counting as one.
    package var maximumValues: Int

    /// Creates limits.
    ///
    /// The reader descends by calling itself, so a depth beyond 256 is the caller's fault.
    package init(maximumDepth: Int = 32, maximumValues: Int = 100_000) {
        precondition(0...256 ~= maximumDepth, "a JSON depth limit lies between 0 and 256")
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    /// For `PUT /characteristics`: the most items there may be, each with every key that HAP knows.
    ///
    /// HAP: §13
    package static let writeRequest = JSONLimits(maximumValues: 8 * (CharacteristicWriteRequest.maximumCount + 1))
    /// For `PUT /prepare`, which has two numbers.
    ///
    /// HAP: §13
    package static let prepareRequest = JSONLimits(maximumValues: 1_000)
}
