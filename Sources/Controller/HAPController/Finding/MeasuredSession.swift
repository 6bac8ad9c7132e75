internal import AccessoryModel
package import HAPCore

/// A session for inspecting an accessory at the given endpoint only.
///
/// Nothing about it is stored.
package struct MeasuredSession: Sendable {
    /// The accessory, with its session open.
    package let accessory: PairedAccessory
    /// The duration until the connection was made.
    package let connectDuration: Duration
    /// The duration of pair-verify.
    package let verifyDuration: Duration

    /// Connects, and runs pair-verify.
    ///
    /// - Throws: ``ControllerError/Code/unreachable``, ``ControllerError/Code/wrongAccessory`` if another device
    ///   answers, ``ControllerError/Code/refused(_:)`` if the accessory does not know this controller.
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
            by: TCPTransport(),
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
