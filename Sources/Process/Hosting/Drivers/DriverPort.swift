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

    /// Shows a message to those who follow the messages of the server.
    ///
    /// - Parameters:
    ///   - size: About how many bytes the message has.
    ///   - message: Makes the message without secrets; called only if it is wanted.
    package func trace(size: Int, _ message: () -> DriverMessage) {
        if run.isOpen, run.driver.isTraced { run.driver.trace(message(), size: size) }
    }

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

    /// Withdraws a service that was announced.
    package func withdraw(_ type: String, of listener: DriverListener) { run.withdraw(type, of: listener) }

    /// Opens a UDP socket on any port of an address, until the run ends.
    ///
    /// - Parameter receive: Called for each datagram on the thread of drivers.
    package func openDatagramSocket(
        host: String,
        receive: @escaping @Sendable (Datagram) -> Void
    ) async throws -> DatagramSocket {
        try await DatagramSocket.open(host: host, for: run, receive: receive)
    }

    /// The folder in which the driver may store what it records; `nil` if the user has named none.
    package var recordings: String? { run.driver.recordings }

    /// Shows a picture to users of the API and of the page, in place of the last one.
    ///
    /// - Parameter picture: At most ``DriverPicture/maximumSize`` bytes; `nil` for none. A larger one is not shown.
    package func show(_ picture: DriverPicture?) { run.show(picture) }

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

/// A picture that a driver shows, such as that of an album.
package struct DriverPicture: Sendable, Hashable {
    /// The maximum number of bytes of the file.
    package static let maximumSize = 512 << 10

    /// `image/jpeg` or `image/png`, as the first bytes show it.
    package let type: String
    package let bytes: [UInt8]

    /// Creates a picture; `nil` if it is neither a JPEG nor a PNG file, or has more than ``maximumSize`` bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize else { return nil }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            type = "image/jpeg"
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            type = "image/png"
        } else {
            return nil
        }
        self.bytes = bytes
    }
}
