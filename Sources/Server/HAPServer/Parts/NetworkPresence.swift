internal import AccessoryModel
internal import NIOCore

/// The network state of a server: whether it listens, and whether it is announced.
struct NetworkPresence {
    /// The socket that a server listens on.
    struct Listener {
        /// Whether the server owns the listener; a listener of the program stays open.
        var isOwned = false
        var isOpen = false
        /// The port on which the server listens, or listened before the listener was closed.
        var port: UInt16?
        /// Whether it could not be opened again.
        var hasFailed = false
        /// The timer for opening it again after a failure.
        var retry: Scheduled<Void>?
    }

    /// The model that the TXT record has.
    let model: String
    var listener = Listener()
    /// The conditions of the ``FaultInjection`` that are in effect.
    var conditions = ServerConditions()
    /// Whether the advertiser was started; an injected fault can delay its start.
    var isAnnounced = false

    init(model: String) {
        self.model = model
    }
}
