internal import HAPCore

/// The limits for calls of handlers.
package struct HandlerLimits: Sendable, Hashable {
    /// The time after which a handler is reported as slow.
    package var warningDelay: Duration
    /// The time after which an item is answered without its handler.
    ///
    /// Controllers give up after ten seconds.
    ///
    /// HAP: §10
    package var timeout: Duration

    /// The maximum number of running reads of one characteristic, and of running writes; further ones get −70403.
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
