internal import AccessoryModel
package import HAPCore

/// One session for looking at an accessory: at the place that is named and nowhere else, and nothing of it is kept.
package struct MeasuredSession: Sendable {
    /// The accessory, with its session open.
    package let accessory: PairedAccessory
    /// How long it took until the connection was there.
    package let connectDuration: Duration
    /// How long pair-verify took.
    package let verifyDuration: Duration

    /// Connects, and proves to each other who both are.
    ///
    /// - Throws: ``ControllerError/Code/unreachable``, ``ControllerError/Code/wrongAccessory`` when somebody else
    ///   answers there, ``ControllerError/Code/refused(_:)`` when the accessory does not know this controller.
    package static func open(
        to endpoint: AccessoryEndpoint,
        as stored: StoredPairing,
        identity: ControllerIdentity,
        configuration: ControllerConfiguration
    ) async throws(ControllerError) -> MeasuredSession {
        var stored = stored
        (stored.host, stored.port) = (endpoint.host, endpoint.port)
        let loop = Controller.nextEventLoop()
        let began = ContinuousClock.now
        let connection = try await Connector.connect(
            to: [endpoint],
            within: configuration.connectionTime,
            configuration: configuration,
            on: loop
        )
        let connected = ContinuousClock.now
        let accessory = PairedAccessory(
            stored,
            identity: identity,
            configuration: configuration,
            store: nil,
            finder: nil,
            eventLoop: loop
        )
        try await accessory.useForSession(connection)
        return MeasuredSession(
            accessory: accessory,
            connectDuration: began.duration(to: connected),
            verifyDuration: connected.duration(to: .now)
        )
    }
}
