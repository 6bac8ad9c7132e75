import Discovery

/// Tells the states of an advertiser that are worth a line: an outage is told once for each reason, not for each try.
struct AdvertiserNews {
    private var outage: DiscoveryError?
    /// Whether an outage is told by whoever waits for the first announcement.
    private var mustAdvertise: Bool

    init(mustAdvertise: Bool = false) {
        self.mustAdvertise = mustAdvertise
    }

    /// Whether this state says something else than the ones before.
    mutating func isNews(_ state: AdvertiserState) -> Bool {
        guard case .unavailable(let error, _) = state else {
            outage = nil
            if case .advertised = state { mustAdvertise = false }
            return true
        }
        guard !mustAdvertise else { return false }
        defer { outage = error }
        return error != outage
    }
}
