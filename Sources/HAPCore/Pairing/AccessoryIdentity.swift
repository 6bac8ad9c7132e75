/// Device ID and long-term key pair of an accessory server.
///
/// A class because the key can be held once only; nothing in it ever changes.
///
/// HAP: §1
public final class AccessoryIdentity: Sendable {
    /// The device ID, also the pairing identifier.
    public let deviceID: DeviceID
    package let signingKey: Ed25519SigningKey

    package init(deviceID: DeviceID, signingKey: consuming Ed25519SigningKey) {
        self.deviceID = deviceID
        self.signingKey = signingKey
    }

    /// Draws a new identity; with a device ID, only its keys.
    public static func random(deviceID: DeviceID? = nil) -> AccessoryIdentity {
        var generator = SodiumRandomNumberGenerator()
        return AccessoryIdentity(deviceID: deviceID ?? .random(using: &generator), signingKey: .random())
    }

    /// The long-term public key.
    public var publicKey: Ed25519PublicKey {
        signingKey.publicKey
    }
}

extension AccessoryIdentity: CustomStringConvertible {
    /// The device ID; never the key.
    public var description: String {
        "accessory \(deviceID)"
    }
}
