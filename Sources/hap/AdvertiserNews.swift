import Discovery

/// Tells the states of an advertiser that are worth a line: an outage is told once for each reason, not for each try.
struct AdvertiserNews {
    private var outage: DiscoveryError?

    /// Whether this state says something else than the ones before.
    mutating func isNews(_ state: AdvertiserState) -> Bool {
        guard case .unavailable(let error, _) = state else {
            outage = nil
            return true
        }
        defer { outage = error }
        return error != outage
    }
}
