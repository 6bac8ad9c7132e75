/// How long a request waits for a handler.
package struct HandlerLimits: Sendable, Hashable {
    /// When a handler is reported as slow.
    package var patience: Duration
    /// When a handler's item is answered without it; controllers give up after ten seconds.
    ///
    /// HAP: §10
    package var timeout: Duration

    package init(patience: Duration = .seconds(3), timeout: Duration = .seconds(9)) {
        self.patience = patience
        self.timeout = timeout
    }
}
