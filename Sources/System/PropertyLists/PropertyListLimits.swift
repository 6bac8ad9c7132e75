/// The limits for a property list.
///
/// The length of texts and data is limited by the number of bytes, which the caller limits.
package struct PropertyListLimits: Sendable, Hashable {
    /// The maximum depth of nested lists and dictionaries: `[]` has depth 1.
    package let maximumDepth: Int
    /// The maximum number of values, including keys.
    ///
    /// A value that is referred to several times counts each time.
    package let maximumValues: Int

    /// Creates limits.
    ///
    /// The readers are recursive, so `maximumDepth` must be at most 64.
    package init(maximumDepth: Int, maximumValues: Int) {
        precondition(0...64 ~= maximumDepth, "a depth limit of property lists lies between 0 and 64")
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    /// The limits for files that users choose.
    package static let file = PropertyListLimits(maximumDepth: 64, maximumValues: 1_000_000)
}
