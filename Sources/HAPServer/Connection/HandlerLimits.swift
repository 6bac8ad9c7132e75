internal import HAPCore

/// How long a request waits for a handler.
package struct HandlerLimits: Sendable, Hashable {
    /// When a handler is reported as slow.
    package var warningDelay: Duration
    /// When a handler's item is answered without it; controllers give up after ten seconds.
    ///
    /// HAP: §10
    package var timeout: Duration

    /// How many reads of one characteristic may wait for its handler at once, and how many writes; further ones are
    /// answered with −70403.
    package var maximumConcurrentCalls: Int

    package init(
        warningDelay: Duration = .seconds(3),
        timeout: Duration = .seconds(9),
        maximumConcurrentCalls: Int = 32
    ) {
        self.warningDelay = warningDelay
        self.timeout = timeout
        self.maximumConcurrentCalls = maximumConcurrentCalls
    }
}
