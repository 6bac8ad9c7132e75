/// A time without advertising: why, and how many tries have failed in a row.
struct AdvertisingOutage {
    let error: DiscoveryError
    let failures: Int

    init(_ error: DiscoveryError, after previous: AdvertisingOutage?) {
        self.error = error
        failures = (previous?.failures ?? 0) + 1
    }
}
