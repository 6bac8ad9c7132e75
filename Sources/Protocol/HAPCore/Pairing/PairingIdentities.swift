/// The device ID and the long-term key pair of an accessory server.
///
/// A class, because the key must exist only once; it is immutable.
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

    /// Generates a new identity; only its keys if a device ID is given.
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

/// The identifier and the long-term key pair of a controller.
///
/// A class, because the key must exist only once; it is immutable.
///
/// HAP: §1
public final class ControllerIdentity: Sendable {
    /// The pairing identifier, usually the text of an upper-case UUID.
    public let identifier: ControllerIdentifier
    package let signingKey: Ed25519SigningKey

    package init(identifier: ControllerIdentifier, signingKey: consuming Ed25519SigningKey) {
        self.identifier = identifier
        self.signingKey = signingKey
    }

    /// Generates a new key for this identifier.
    public static func random(identifier: ControllerIdentifier) -> ControllerIdentity {
        ControllerIdentity(identifier: identifier, signingKey: .random())
    }

    /// The long-term public key.
    public var publicKey: Ed25519PublicKey {
        signingKey.publicKey
    }
}

extension ControllerIdentity: CustomStringConvertible {
    /// The identifier; never the key.
    public var description: String {
        "controller \(identifier)"
    }
}

/// An accessory server that a controller is paired with.
///
/// HAP: §1, §6.2
public struct AccessoryPairing: Sendable, Hashable {
    /// The accessory's pairing identifier as the accessory sent it: usually 17 bytes, compared byte for byte.
    public let identifier: [UInt8]
    /// The accessory's long-term public key.
    public let publicKey: Ed25519PublicKey

    /// Creates a pairing with an identifier of 1 to 255 bytes; `nil` for any other count.
    public init?(identifier: some Collection<UInt8>, publicKey: Ed25519PublicKey) {
        guard 1...255 ~= identifier.count else { return nil }
        self.identifier = Array(identifier)
        self.publicKey = publicKey
    }

    /// The identifier as a device ID; `nil` if an accessory uses another form.
    public var deviceID: DeviceID? {
        DeviceID(String(decoding: identifier, as: UTF8.self))
    }
}
