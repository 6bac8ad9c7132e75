/// A connection, to those that only need to tell one from another.
package struct SubscriberID: Sendable, Hashable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
