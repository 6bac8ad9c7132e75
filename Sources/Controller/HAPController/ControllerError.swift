public import AccessoryModel
internal import Discovery
public import HAPCore

/// The reason why a controller's request failed.
///
/// This is the only error type of this module.
public struct ControllerError: ExplainedError {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// No address of the accessory accepts a connection.
        case unreachable
        /// The accessory did not answer one step in time.
        case timedOut
        /// The accessory is not announced on the network.
        case notFound
        /// The accessory refused the setup code.
        case wrongCode
        /// The accessory is already paired, with this or another controller.
        case alreadyPaired
        /// Another controller is pairing with the accessory at this moment.
        case busy
        /// The accessory has had so many wrong codes that it must be reset.
        case tooManyTries
        /// The accessory has no room for another pairing.
        case maxPeers
        /// The accessory no longer knows this controller, or does not permit the request.
        case refused(PairingErrorCode)
        /// The device has another device ID or another long-term key than the pairing.
        case wrongAccessory
        /// The device refused before it proved that it is the accessory.
        case unproven(PairingErrorCode)
        /// The accessory violates the protocol.
        case malformed(ProtocolError)
        /// The connection ended before the response arrived.
        case connectionLost
        /// The accessory answered the whole request with an error: the HTTP status, and the HAP status if it sent one.
        case requestFailed(http: Int, HAPStatus?)
        /// There is no pairing with this name.
        case unknownAccessory
        /// No characteristic, or more than one, has the name.
        case unknownCharacteristic
        /// The value is not valid for the characteristic.
        case invalidValue
        /// The alias or the device is already stored.
        case aliasTaken
        /// The controller's store failed.
        case store(StoreError.Code)
        /// The daemon that finds accessories has failed.
        case discovery
        /// A subscriber reads too slowly, and the waiting changes exceed the limit.
        case overflow
        /// The calling task was canceled; the request may have been executed.
        case cancelled
        /// The controller or its accessory object was closed.
        case closed
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence that says what happened.
    public var reason: String
    /// A sentence that says what the user can do.
    public var remedy: String

    /// Creates an error.
    public init(_ code: Code, reason: String, remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }
}

extension ControllerError {
    /// Returns the error for an accessory that refused the proof of the setup code.
    ///
    /// - Parameter tries: The number of refused codes so far; `nil` if they cannot be counted.
    static func wrongCode(tries: Int?) -> ControllerError {
        let count = tries.map { " (\($0) \($0 == 1 ? "try" : "tries") so far)" } ?? ""
        return ControllerError(
            .wrongCode,
            reason: "The accessory rejects the setup code\(count).",
            remedy: "Check the code on the accessory or its packaging."
        )
    }

    /// Returns the error for an accessory that is already paired with this controller.
    static func alreadyPaired(as alias: String, at endpoint: AccessoryEndpoint) -> ControllerError {
        ControllerError(
            .alreadyPaired,
            reason: "The accessory at \(endpoint) is already paired; its alias here is \(alias).",
            remedy: """
                Use that alias. If the accessory was paired with another controller since, remove the pairing here, and \
                reset it.
                """
        )
    }

    /// The error for a task that was canceled before the accessory could have stored a pairing.
    static let pairingAbandoned = ControllerError(
        .cancelled,
        reason: "The pairing was cancelled before it was complete.",
        remedy: "Pair again if you still want to."
    )

    /// The same failure after M5 was sent, when it is unknown whether the accessory has stored the pairing.
    var withUncertainPairing: ControllerError {
        var error = self
        error.reason += """
             The failure came after the last pairing message: the accessory may now be paired with this controller, but \
            the pairing is not stored here.
            """
        error.remedy = "Pair again; if the accessory is already paired, reset it first."
        return error
    }

    /// Returns the error for a pairing that is stored, but whose first session failed.
    func afterPairing(as alias: String) -> ControllerError {
        var error = self
        error.reason = "The accessory is paired as \(alias), but cannot be used yet. \(reason)"
        return error
    }

    /// Returns the error for an accessory that does not permit this controller to remove pairings, not even its own.
    static func notAdmin(_ error: PairingErrorCode, alias: String) -> ControllerError {
        ControllerError(
            .refused(error),
            reason: "Only an admin may remove a pairing from \(alias), and this controller is not an admin: \(error).",
            remedy: "Remove it with an admin's controller, or reset the accessory."
        )
    }
}

extension ControllerError {
    /// Converts an error of discovery: accessories cannot be found.
    init(_ error: DiscoveryError) {
        let isElsewhere = error.code == .noBus || error.code == .noDaemon
        let remedy = error.remedy + (isElsewhere ? " Without it, pair by HOST:PORT." : "")
        self.init(.discovery, reason: error.reason, remedy: remedy)
    }

    /// Returns the error for a device ID that is not announced.
    package static func notFound(_ deviceID: DeviceID) -> ControllerError {
        ControllerError(
            .notFound,
            reason: "No accessory on this network announces the device ID \(deviceID).",
            remedy: "Look which accessories are announced; for one in another network, use HOST:PORT."
        )
    }

    /// The error for a payload whose setup hash is not announced.
    static let notFoundByPayload = ControllerError(
        .notFound,
        reason: "No accessory on this network announces a setup hash that matches this setup payload.",
        remedy: """
            Check that the accessory is turned on and on this network; if it does not announce a setup hash, give \
            its device ID, or HOST:PORT.
            """
    )
}
