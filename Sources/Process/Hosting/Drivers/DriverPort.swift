package import AccessoryModel
package import Discovery
package import HAPServer

/// Everything that a driver may do, from the start of its run to its end.
///
/// When the run has ended or was canceled, no call has an effect.
package struct DriverPort: Sendable {
    private let run: DriverRun

    init(_ run: DriverRun) {
        self.run = run
    }

    /// The accessory as it is served now.
    package var accessory: DrivenAccessory { run.driver.accessory }

    /// The accessories that replace ``accessory``; a reader that is slow gets the latest one.
    package var accessoryChanges: AsyncStream<DrivenAccessory> { run.accessoryChanges() }

    /// The value of each characteristic that the driver answers for, in this run or an earlier one.
    package var values: [CharacteristicKey: CharacteristicValue] {
        get async { await run.driver.values }
    }

    /// What the driver keeps on disk.
    package var store: DriverStore { run.driver.store }

    /// Stores values and presses in their order, and notifies subscribers.
    ///
    /// - Returns: The keys of the values that are refused: there is no such characteristic, or it cannot have the value.
    @discardableResult
    package func report(_ reports: [DriverReport]) async -> [CharacteristicKey] { await run.report(reports) }

    /// Says whether the device can be reached; until then, HomeKit gets −70402 for its services.
    package func setReachable(_ isReachable: Bool) async { await run.setReachable(isReachable) }

    /// Reports an event; of more than ``HostedDriver/eventsPerSecond`` a second, only their number is reported.
    package func emit(_ event: DriverEvent) { run.emit(event) }

    /// Whether there are faults of the server, of which some may be the driver's.
    package var hasFaults: Bool { run.driver.hasFaults }

    /// Returns whether a fault acts now, which counts as one time.
    package func take(fault name: String) async -> Bool { await takeNumber(ofFault: name) != nil }

    /// Returns the number of a fault that acts now, which counts as one time; 0 if the fault has none, `nil` if none acts.
    package func takeNumber(ofFault name: String) async -> Double? {
        run.isOpen ? await run.driver.take(fault: name) : nil
    }

    /// Listens for connections until the run ends.
    ///
    /// - Parameter tls: The certificate for TLS; `nil` for connections without it.
    package func listen(
        on endpoint: DriverEndpoint,
        tls: TLSIdentity? = nil,
        limits: ListenerLimits = ListenerLimits()
    ) async throws -> DriverListener {
        try await DriverListener.listen(on: endpoint, tls: tls, limits: limits, for: run)
    }

    /// Announces a service of a listener until the run ends, on the interfaces on which it listens.
    ///
    /// A later call for the same type and listener replaces the name and the text. Without an Avahi daemon, with
    /// `--advertise off`, and beyond ``DriverAnnouncer/maximumCount`` services, nothing is announced. The event
    /// `announced` has the name that was free.
    ///
    /// - Parameter type: Such as `_googlecast._tcp`.
    package func announce(_ type: String, _ name: InstanceName, _ text: TXTRecord, of listener: DriverListener) {
        run.announce(type, name, text, of: listener)
    }

    /// Connects to a peer; the connection ends with the run at the latest.
    package func connect(to endpoint: DriverEndpoint) async throws -> DriverConnection {
        try await DriverConnection.connect(to: endpoint, for: run)
    }

    /// Passes the event of a peer to the simulated device, and returns when it was handled.
    package func deliver(_ event: PeerEvent) async { await run.deliver(event) }

    /// Returns the messages of the simulated device for a peer.
    ///
    /// The stream ends when the peer leaves, or when 1,024 messages wait: a peer that does not read is to be disconnected.
    package func messages(to peer: PeerID) -> AsyncStream<PeerMessage> { run.messages(to: peer) }
}
