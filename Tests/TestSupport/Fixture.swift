package import AccessoryModel
package import HAPCore

/// The accessory and the controller of the vectors.
package enum Fixture {
    /// The accessory in the transcripts.
    package static let accessory = AccessoryIdentity(
        deviceID: deviceID(Vectors.all.pairSetup.accessoryPairingID),
        signingKey: Ed25519SigningKey(seed: SecretBytes(hex: Vectors.all.pairSetup.accessoryLTSKSeed))
    )

    /// The controller in the transcripts.
    package static let controller = ControllerIdentity(
        identifier: identifier(Vectors.all.pairSetup.controllerPairingID),
        signingKey: Ed25519SigningKey(seed: SecretBytes(hex: Vectors.all.pairSetup.controllerLTSKSeed))
    )

    /// The pairing as the accessory stores it.
    package static let pairing = Pairing(
        identifier: controller.identifier,
        publicKey: controller.publicKey,
        isAdmin: true
    )

    /// The pairing as the controller stores it.
    package static let accessoryPairing: AccessoryPairing = {
        let pairing = AccessoryPairing(identifier: accessory.deviceID.text.utf8, publicKey: accessory.publicKey)
        guard let pairing else { preconditionFailure("a device ID has 17 bytes") }
        return pairing
    }()

    /// The setup code of the transcripts.
    package static let setupCode = setupCode(Vectors.all.pairSetup.setupCode)

    /// Salt and verifier of the transcripts.
    package static let verifier: SRPVerifier = {
        let salt = [UInt8](hex: Vectors.all.srp["plain"].salt)
        guard let verifier = SRPVerifier(code: setupCode, salt: salt) else {
            preconditionFailure("a salt has 16 bytes")
        }
        return verifier
    }()

    /// The identity that the accessory's store holds.
    package static let identityRecord: IdentityRecord = {
        guard let setupID = SetupID("7OSX") else { preconditionFailure("a setup ID has four characters") }
        return IdentityRecord(identity: accessory, setupID: setupID, setupCode: setupCode)
    }()

    /// A table with the controller's pairing alone.
    package static let pairedTable = PairingTable(pairings: [pairing])

    /// Returns a pairing of another controller, with a placeholder as its key.
    package static func pairing(number: UInt8, isAdmin: Bool) -> Pairing {
        guard let key = Ed25519PublicKey([UInt8](repeating: number, count: 32)) else {
            preconditionFailure("a key has 32 bytes")
        }
        return Pairing(identifier: identifier("controller \(number)"), publicKey: key, isAdmin: isAdmin)
    }

    /// Returns a controller's identifier from a text that must be valid.
    package static func identifier(_ text: String) -> ControllerIdentifier {
        guard let identifier = ControllerIdentifier(text) else { preconditionFailure("not an identifier: \(text)") }
        return identifier
    }

    /// Returns a setup code from a text that must be valid.
    package static func setupCode(_ text: String) -> SetupCode {
        guard let code = SetupCode(text) else { preconditionFailure("not a setup code: \(text)") }
        return code
    }

    private static func deviceID(_ text: String) -> DeviceID {
        guard let deviceID = DeviceID(text) else { preconditionFailure("not a device ID: \(text)") }
        return deviceID
    }
}
