package import HAPCore

/// What follows a response.
package struct ResponseSequel: Sendable {
    /// What everything behind the response is sealed with; the response itself still leaves as before.
    ///
    /// HAP: §8
    package var keys: SessionKeys?
    /// Whether the connection ends when the response has left.
    ///
    /// HAP: §9 (remove)
    package var closesConnection: Bool
    /// Called once, on the event loop: when the response has left, or cannot leave any more.
    package var whenWritten: (@Sendable () -> Void)?

    package init(
        keys: SessionKeys? = nil,
        closesConnection: Bool = false,
        whenWritten: (@Sendable () -> Void)? = nil
    ) {
        self.keys = keys
        self.closesConnection = closesConnection
        self.whenWritten = whenWritten
    }
}
