internal import Discovery
package import HAPCore

extension ControllerError {
    /// Nothing can be found, as the daemon or the bus is not there.
    init(_ error: DiscoveryError) {
        let isElsewhere = error.code == .noBus || error.code == .noDaemon
        let remedy = error.remedy + (isElsewhere ? " Without it, an accessory is paired by HOST:PORT." : "")
        self.init(.discovery, reason: error.reason, remedy: remedy)
    }

    /// Nobody announces a device ID.
    package static func notFound(_ deviceID: DeviceID) -> ControllerError {
        ControllerError(
            .notFound,
            reason: "Nobody in this network announces the device ID \(deviceID).",
            remedy: "See what is there with `hap discover`; whatever is in another network is given as HOST:PORT."
        )
    }

    /// Nobody announces the setup hash of a payload.
    static let notFoundByPayload = ControllerError(
        .notFound,
        reason: "Nobody in this network announces that this setup payload is for it.",
        remedy: """
            Check that the accessory is switched on and in this network; if it does not announce a setup hash, give \
            its device ID as `hap discover` shows it, or HOST:PORT.
            """
    )
}
