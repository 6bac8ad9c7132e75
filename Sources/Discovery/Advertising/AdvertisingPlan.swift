/// The record to advertise, and the name that is currently tried.
struct AdvertisingPlan {
    /// The requested record.
    private(set) var record: ServiceRecord
    /// The number of the name, from 1 for the requested name itself.
    private var nameNumber = 1
    /// The name that was confirmed last.
    private var confirmedName: InstanceName?

    /// The number of names that are tried before a pause.
    static let maximumNameNumber = 99

    init(record: ServiceRecord) {
        self.record = record
    }

    /// The record to register.
    ///
    /// A free name is kept through outages of the daemon, so that two servers with one requested name do not swap
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

    /// Returns the plan with the name that the daemon has confirmed, which may be one that the daemon has chosen.
    func withConfirmedName(_ name: String) -> AdvertisingPlan {
        var next = self
        next.confirmedName = InstanceName(name)
        return next
    }

    /// Returns the plan for a changed record; the number of the name is kept while the name is the same.
    func withRecord(_ changed: ServiceRecord) -> AdvertisingPlan {
        guard changed.name == record.name else { return AdvertisingPlan(record: changed) }
        var next = self
        next.record = changed
        return next
    }

    /// Returns the plan for the attempt after a pause; if all names were in use, the numbers start again.
    func afterFailure(_ failure: DiscoveryError) -> AdvertisingPlan {
        failure.code == .nameTaken ? AdvertisingPlan(record: record) : self
    }
}

/// A period without advertising: its reason, and the number of failed attempts in a row.
struct AdvertisingOutage {
    let error: DiscoveryError
    let failures: Int

    init(_ error: DiscoveryError, after previous: AdvertisingOutage?) {
        self.error = error
        failures = (previous?.failures ?? 0) + 1
    }

    /// The pause between the last failure and the next attempt.
    var delay: Duration {
        RetryDelay.after(failures: failures)
    }

    var visibleState: AdvertiserState {
        .unavailable(error, retryIn: delay)
    }

    /// Whether the daemon's word is not enough to end it.
    var endsWhenFound: Bool { endCondition == .found }

    /// Whether the outage ends as soon as the daemon is available.
    var endsWithDaemon: Bool { endCondition == .daemon }

    /// The events that may end the outage.
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

/// The pause before another attempt: 1 second, then twice as long each time, up to a maximum.
package enum RetryDelay {
    /// The delay after this many failures in a row, counted from 1.
    package static func after(failures: Int, longest: Duration = .seconds(30)) -> Duration {
        let exponent = min(max(failures, 1) - 1, 5)
        return min(.seconds(1 << exponent), longest)
    }
}
