/// Who writes, and how.
package struct WriteContext: Sendable, Hashable {
    package let writer: SubscriberID
    package let isAdmin: Bool
    /// Whether the request is a valid timed write.
    package let isTimed: Bool

    package init(writer: SubscriberID, isAdmin: Bool, isTimed: Bool) {
        self.writer = writer
        self.isAdmin = isAdmin
        self.isTimed = isTimed
    }
}
