/// What a read asks for beside the values.
///
/// HAP: §12
package struct ReadInclusions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Format, unit and limits.
    package static let meta = ReadInclusions(rawValue: 1 << 0)
    /// The permissions.
    package static let perms = ReadInclusions(rawValue: 1 << 1)
    /// The type.
    package static let type = ReadInclusions(rawValue: 1 << 2)
    /// Whether the connection is subscribed.
    package static let ev = ReadInclusions(rawValue: 1 << 3)
}
