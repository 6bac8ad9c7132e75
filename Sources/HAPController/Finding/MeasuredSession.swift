internal import AccessoryModel
package import HAPCore

/// One session for looking at an accessory: at the place that is named and nowhere else, and nothing of it is kept.
package struct MeasuredSession: Sendable {
    /// The accessory, with its session open.
    package let accessory: PairedAccessory
    /// How long it took until the connection was there.
    package let connecting: Duration
    /// How long pair-verify took.
    package let verifying: Duration

    /// Connects, and proves to each other who both are.
    ///
    /// - Throws: ``ControllerError/Code/unreachable``, ``ControllerError/Code/wrongAccessory`` when somebody else
    ///   answers there, ``ControllerError/Code/refused(_:)`` when the accessory does not know this controller.
    package static func open(
        to place: AccessoryPlace,
        as kept: StoredPairing,
        identity: ControllerIdentity,
        configuration: ControllerConfiguration
    ) async throws(ControllerError) -> MeasuredSession {
        var kept = kept
        (kept.host, kept.port) = (place.host, place.port)
        let loop = Controller.nextLoop()
        let began = ContinuousClock.now
        let connection = try await Connector.connect(
            to: [place],
            within: configuration.connectionTime,
            configuration: configuration,
            on: loop
        )
        let connected = ContinuousClock.now
        let accessory = PairedAccessory(
            kept,
            identity: identity,
            configuration: configuration,
            store: nil,
            finder: nil,
            eventLoop: loop
        )
        try await accessory.adopt(connection)
        return MeasuredSession(
            accessory: accessory,
            connecting: began.duration(to: connected),
            verifying: connected.duration(to: .now)
        )
    }
}
