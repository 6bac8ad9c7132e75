internal import HAPCore

/// The limits for calls of handlers.
package struct HandlerLimits: Sendable, Hashable {
    /// The time after which a handler is reported as slow.
    package var warningDelay = Duration.seconds(3)
    /// The time after which an item is answered without its handler.
    ///
    /// Controllers give up after ten seconds.
    ///
    /// HAP: §10
    package var timeout = Duration.seconds(9)
    /// The maximum number of running reads of one characteristic, and of running writes; further ones get −70403.
    package var maximumConcurrentCalls = 32
}
