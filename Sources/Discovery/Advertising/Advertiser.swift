/// Puts one server on the network and takes it back.
///
/// `start` and `update` return at once and may be called from an event loop; calls take effect in the order in which
/// they were made.
package protocol Advertiser: Sendable {
    /// Begins to advertise, and goes on through the daemon's absences until ``stop()``.
    ///
    /// `onState` is called on the advertiser's own thread whenever the state changes, never twice with the same.
    func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void)

    /// Replaces what is advertised.
    ///
    /// A change of the text alone is announced at once. A change of name or port takes the service back and puts it on
    /// the network anew.
    func update(_ record: ServiceRecord)

    /// Takes the service back until the next ``update(_:)``.
    func withdraw()

    /// Waits until it is known whether advertising works, and says which: advertised, unavailable or stopped.
    ///
    /// An advertiser that never advertises answers idle at once.
    func firstOutcome() async -> AdvertiserState

    /// Takes the service back and returns when the goodbye has been sent. A stopped advertiser does not start again.
    func stop() async
}
