public import HAPCore

/// Who an accessory server is, across restarts.
///
/// HAP: §1
public struct IdentityRecord: Sendable {
    /// Device ID and long-term key pair.
    public var identity: AccessoryIdentity
    /// The setup ID of the QR code.
    public var setupID: SetupID
    /// The setup code.
    ///
    /// Kept in clear: it is shown at every start.
    public var setupCode: SetupCode
    /// Salt and verifier of the setup code.
    public var verifier: SRPVerifier
    /// The port that was picked at the first start, if one was.
    public var port: UInt16?

    /// Creates a record.
    public init(
        identity: AccessoryIdentity,
        setupID: SetupID,
        setupCode: SetupCode,
        verifier: SRPVerifier,
        port: UInt16? = nil
    ) {
        self.identity = identity
        self.setupID = setupID
        self.setupCode = setupCode
        self.verifier = verifier
        self.port = port
    }
}
