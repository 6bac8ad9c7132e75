/// An accessory server that a controller is paired with.
///
/// HAP: §1, §6.2
public struct AccessoryPairing: Sendable, Hashable {
    /// The accessory's pairing identifier as it sent it: 17 bytes, compared byte for byte.
    public let identifier: [UInt8]
    /// The accessory's long-term public key.
    public let publicKey: Ed25519PublicKey

    /// Takes an identifier of 1 to 255 bytes, `nil` for any other count.
    public init?(identifier: some Collection<UInt8>, publicKey: Ed25519PublicKey) {
        guard 1...255 ~= identifier.count else { return nil }
        self.identifier = Array(identifier)
        self.publicKey = publicKey
    }

    /// The identifier as a device ID, `nil` when an accessory does not keep to the form.
    public var deviceID: DeviceID? {
        DeviceID(String(decoding: identifier, as: UTF8.self))
    }
}
