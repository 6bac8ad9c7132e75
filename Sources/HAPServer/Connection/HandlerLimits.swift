internal import HAPCore

/// How long a request waits for a handler.
package struct HandlerLimits: Sendable, Hashable {
    /// When a handler is reported as slow.
    package var patience: Duration
    /// When a handler's item is answered without it; controllers give up after ten seconds.
    ///
    /// HAP: §10
    package var timeout: Duration

    /// How many reads of one characteristic may wait for its handler at once, and how many writes; further ones are
    /// answered with −70403.
    package var callsAtOnce: Int

    package init(patience: Duration = .seconds(3), timeout: Duration = .seconds(9), callsAtOnce: Int = 32) {
        self.patience = patience
        self.timeout = timeout
        self.callsAtOnce = callsAtOnce
    }
}
