/// Something that has happened in a media receiver, for a log and for tests.
package struct ReceiverEvent: Sendable, Hashable {
    /// A word such as `LOAD` or `sessionStarted`.
    package let name: String
    package let details: [String: String]

    package init(_ name: String, _ details: [String: String] = [:]) {
        (self.name, self.details) = (name, details)
    }
}
