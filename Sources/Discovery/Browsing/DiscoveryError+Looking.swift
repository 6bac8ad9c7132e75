extension DiscoveryError {
    /// The same failure for whoever wants to find an accessory rather than be found.
    package var whenLooking: DiscoveryError {
        switch code {
        case .noBus:
            DiscoveryError(
                .noBus,
                reason: "No D-Bus system bus answers and so no Avahi daemon, without which no accessory is found.",
                remedy: remedy
            )
        case .noDaemon:
            DiscoveryError(
                .noDaemon,
                reason: "No Avahi daemon answers, without which no accessory is found.",
                remedy: remedy
            )
        case .limit:
            DiscoveryError(
                .limit,
                reason: "There is no room for one more connection to the Avahi daemon, so no accessory is found.",
                remedy: """
                    End programs that use it, or raise max_connections_per_user of the D-Bus system bus and the \
                    limit on open files (`ulimit -n`).
                    """
            )
        case .nameTaken, .noAnswer, .refused, .notFound, .otherRecord:
            self
        }
    }
}
