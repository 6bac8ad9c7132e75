/// What a 32-byte key is derived for: the salt and info of HKDF.
///
/// HAP: §5
package struct KeyPurpose: Sendable {
    package let salt: [UInt8]
    package let info: [UInt8]

    private init(salt: String, info: String) {
        self.salt = Array(salt.utf8)
        self.info = Array(info.utf8)
    }

    /// Seals M5 and M6 of pair-setup.
    package static let pairSetupMessages = KeyPurpose(salt: "Pair-Setup-Encrypt-Salt", info: "Pair-Setup-Encrypt-Info")
    /// What the controller signs first in M5.
    package static let pairSetupControllerSignature = KeyPurpose(
        salt: "Pair-Setup-Controller-Sign-Salt",
        info: "Pair-Setup-Controller-Sign-Info"
    )
    /// What the accessory signs first in M6.
    package static let pairSetupAccessorySignature = KeyPurpose(
        salt: "Pair-Setup-Accessory-Sign-Salt",
        info: "Pair-Setup-Accessory-Sign-Info"
    )
    /// Seals M2 and M3 of pair-verify.
    package static let pairVerifyMessages = KeyPurpose(
        salt: "Pair-Verify-Encrypt-Salt",
        info: "Pair-Verify-Encrypt-Info"
    )
    /// Seals what the accessory sends in a session.
    ///
    /// "Read" is the controller's view.
    package static let accessoryToController = KeyPurpose(salt: "Control-Salt", info: "Control-Read-Encryption-Key")
    /// Seals what the controller sends in a session.
    package static let controllerToAccessory = KeyPurpose(salt: "Control-Salt", info: "Control-Write-Encryption-Key")
}
