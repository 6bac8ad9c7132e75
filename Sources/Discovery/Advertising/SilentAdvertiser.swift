/// Keeps a server off the network: `--advertise off`.
package struct SilentAdvertiser: Advertiser {
    /// Creates one.
    package init() {}

    package func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void) {}

    package func update(_ record: ServiceRecord) {}

    package func withdraw() {}

    package func firstOutcome() async -> AdvertiserState {
        .idle
    }

    package func stop() async {}
}
