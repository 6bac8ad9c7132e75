/// What is to be advertised, and which of its names is tried at present.
struct AdvertisingPlan {
    /// What was asked for.
    private(set) var record: ServiceRecord
    /// Counted from 1, the wanted name itself.
    private var nameNumber = 1
    /// The name that was confirmed last.
    private var confirmedName: InstanceName?

    /// How many names are tried before giving up for a while.
    static let maximumNameNumber = 99

    init(record: ServiceRecord) {
        self.record = record
    }

    /// What to ask the daemon for.
    ///
    /// A name that was found free is kept through the daemon's absences, so that two servers with one name do not swap
    /// theirs.
    var recordToRegister: ServiceRecord {
        ServiceRecord(name: confirmedName ?? record.name.alternative(nameNumber), port: record.port, text: record.text)
    }

    /// The same with the next name; `nil` when all were tried.
    var withNextName: AdvertisingPlan? {
        guard nameNumber < Self.maximumNameNumber else { return nil }
        var next = self
        next.nameNumber += 1
        next.confirmedName = nil
        return next
    }

    /// The same once a name was confirmed, be it one that the daemon has made up.
    func withConfirmedName(_ name: String) -> AdvertisingPlan {
        var next = self
        next.confirmedName = InstanceName(name)
        return next
    }

    /// The same for a changed record; the name's number stays while the name does.
    func withRecord(_ changed: ServiceRecord) -> AdvertisingPlan {
        guard changed.name == record.name else { return AdvertisingPlan(record: changed) }
        var next = self
        next.record = changed
        return next
    }

    /// The same for the try after a pause: when all names were taken, the count begins anew.
    func afterFailure(_ failure: DiscoveryError) -> AdvertisingPlan {
        failure.code == .nameTaken ? AdvertisingPlan(record: record) : self
    }
}

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
    var endsWhenFound: Bool { endCondition == .found }

    /// Whether it is over as soon as a daemon is there.
    var endsWithDaemon: Bool { endCondition == .daemon }

    /// What may end it.
    private enum EndCondition {
        case daemon
        case found
        case retry
    }

    private var endCondition: EndCondition {
        switch error.code {
        case .noBus, .noDaemon, .noResponse: .daemon
        case .notFound, .recordMismatch: .found
        case .limit, .nameTaken, .refused: .retry
        }
    }
}

/// How long to wait before another try: 1 second, then twice as long each time, up to a longest.
package enum RetryDelay {
    /// The delay after this many failures in a row, counted from 1.
    package static func after(failures: Int, longest: Duration = .seconds(30)) -> Duration {
        let exponent = min(max(failures, 1) - 1, 5)
        return min(.seconds(1 << exponent), longest)
    }
}
