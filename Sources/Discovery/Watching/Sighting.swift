/// What those who look for a service report to its advertiser.
package enum Sighting: Sendable, Hashable {
    /// The daemon answers, after it did not or was never asked.
    case daemonAnswers
    /// The service is found as it was sent.
    case found
    /// It is not.
    case missed(DiscoveryError)
}
