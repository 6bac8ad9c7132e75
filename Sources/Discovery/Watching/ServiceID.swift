/// One of the services that a process watches.
package struct ServiceID: Sendable, Hashable {
    /// Counted from 1, never used twice.
    package let number: UInt64

    /// Creates one.
    package init(_ number: UInt64) {
        self.number = number
    }
}
