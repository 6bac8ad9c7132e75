/// What happens to the accessories in this network.
public enum DiscoveryUpdate: Sendable, Hashable {
    /// An accessory is there that was not.
    case appeared(DiscoveredAccessory)
    /// An accessory of this name has another place, or says something else of itself.
    case changed(DiscoveredAccessory)
    /// An accessory has said goodbye, or does not answer any more; this is what was known of it.
    case disappeared(DiscoveredAccessory)
    /// Everything that the daemon knew or heard of when it asked the network once has been told.
    ///
    /// Accessories that are slow to answer follow.
    case sawAll
    /// A daemon answers that finds accessories.
    case available
    /// Nothing is found until ``available``, for this reason; what was told may be past.
    case unavailable(DiscoveryError)
}
