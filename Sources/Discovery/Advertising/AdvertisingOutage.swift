/// A time without advertising: why, and how many tries have failed in a row.
struct AdvertisingOutage {
    let error: DiscoveryError
    let failures: Int

    init(_ error: DiscoveryError, after previous: AdvertisingOutage?) {
        self.error = error
        failures = (previous?.failures ?? 0) + 1
    }

    /// How long after the last failure the next try follows.
    var delay: Duration {
        RetryDelay.after(failures: failures)
    }

    var visibleState: AdvertiserState {
        .unavailable(error, retryIn: delay)
    }

    /// Whether the daemon's word is not enough to end it.
    var endsWhenSeen: Bool { end == .sighting }

    /// Whether it is over as soon as a daemon is there.
    var endsWithDaemon: Bool { end == .daemon }

    /// What may end it.
    private enum End {
        case daemon
        case sighting
        case nextTry
    }

    private var end: End {
        switch error.code {
        case .noBus, .noDaemon, .noAnswer: .daemon
        case .notFound, .otherRecord: .sighting
        case .limit, .nameTaken, .refused: .nextTry
        }
    }
}
