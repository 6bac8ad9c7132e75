/// The limits for a JSON text, and its permitted deviation from RFC 8259.
///
/// The length of strings and keys is limited by the text, which the HTTP layer limits.
package struct JSONLimits: Sendable, Hashable {
    /// The maximum nesting of arrays and objects: `[]` has depth 1.
    package var maximumDepth: Int
    /// The maximum number of values; arrays, objects and their contents each count as one.
    package var maximumValues: Int

    /// Whether a comma may follow the last element of an array or the last member of an object; some devices write one.
    package var allowsTrailingCommas: Bool

    /// Creates limits.
    ///
    /// The reader is recursive, so `maximumDepth` must be at most 256.
    package init(maximumDepth: Int = 32, maximumValues: Int = 100_000, allowsTrailingCommas: Bool = false) {
        precondition(0...256 ~= maximumDepth, "a JSON depth limit lies between 0 and 256")
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
        self.allowsTrailingCommas = allowsTrailingCommas
    }

    /// The limits for the responses and events of an accessory.
    package static let accessoryMessage = JSONLimits(allowsTrailingCommas: true)

    /// The limits for `PUT /characteristics`: enough values for the maximum number of items with every key that HAP
    /// defines.
    ///
    /// HAP: §13
    package static let writeRequest = JSONLimits(maximumValues: 8 * (CharacteristicWriteRequest.maximumCount + 1))
    /// The limits for `PUT /prepare`, which has two numbers.
    ///
    /// HAP: §13
    package static let prepareRequest = JSONLimits(maximumValues: 1_000)
}
