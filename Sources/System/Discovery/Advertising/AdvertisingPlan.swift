/// The record to advertise, and the name that is currently tried.
struct AdvertisingPlan {
    /// The requested record.
    private(set) var record: ServiceRecord
    /// The number of the current name; 1 is the requested name itself.
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
    /// A name that was once confirmed is kept through outages of the daemon, so that two servers with the same
    /// requested name do not swap their names.
    var recordToRegister: ServiceRecord {
        var tried = record
        tried.name = confirmedName ?? record.name.alternative(nameNumber)
        return tried
    }

    /// The plan with the next name; `nil` if all names were tried.
    var withNextName: AdvertisingPlan? {
        guard nameNumber < Self.maximumNameNumber else { return nil }
        var next = self
        next.nameNumber += 1
        next.confirmedName = nil
        return next
    }

    /// Returns the plan with the confirmed name, which the daemon may have chosen itself.
    func withConfirmedName(_ name: String) -> AdvertisingPlan {
        var next = self
        next.confirmedName = InstanceName(name)
        return next
    }

    /// Returns the plan for a changed record; the number of the name is kept if the requested name is the same.
    func withRecord(_ changed: ServiceRecord) -> AdvertisingPlan {
        guard changed.name == record.name else { return AdvertisingPlan(record: changed) }
        var next = self
        next.record = changed
        return next
    }

    /// Returns the plan for the attempt after a pause; if all names were in use, it starts again with the first one.
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

    /// Whether the outage ends only when the service is found, not when the daemon confirms it.
    var endsWhenFound: Bool { error.code == .notFound || error.code == .recordMismatch }

    /// Whether the outage may end as soon as a daemon is available.
    var endsWithDaemon: Bool { error.endsWithDaemon || error.code == .noResponse }
}

/// The pause before another attempt: 1 second, then twice as long each time, up to a maximum.
package enum RetryDelay {
    /// The delay after this many failures in a row, counted from 1.
    package static func after(failures: Int, longest: Duration = .seconds(30)) -> Duration {
        let exponent = min(max(failures, 1) - 1, 5)
        return min(.seconds(1 << exponent), longest)
    }
}
