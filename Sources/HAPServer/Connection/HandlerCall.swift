internal import HAPCore
internal import NIOCore

/// A handler that has been asked and has not answered.
///
/// Belongs to the server's actor and never leaves it.
struct HandlerCall {
    let kind: HandlerKind
    let position: Int
    /// `nil` once the request has been answered without it.
    var operation: HandlerOperation?
    var task: Task<Void, Never>?
    let warning: Scheduled<Void>
    let timeout: Scheduled<Void>
}

/// One handler of one characteristic.
struct HandlerKind: Sendable, Hashable {
    let id: CharacteristicID
    let isWrite: Bool
}

/// How much of one handler is under way: the reads of one characteristic, or its writes.
struct HandlerUse: Sendable, Hashable {
    /// How many calls have not come back.
    var calls = 0
    /// How many of them have been given up on.
    var overdue = 0
}

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
