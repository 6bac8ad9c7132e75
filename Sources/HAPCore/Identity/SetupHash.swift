/// Four bytes by which a controller recognises the accessory whose code was scanned: `sh` of the TXT record.
///
/// HAP: §3
public struct SetupHash: Sendable, Hashable {
    /// The first four bytes of SHA-512 over setup ID and device ID.
    public let bytes: [UInt8]

    /// Computes the hash of an accessory server.
    public init(setupID: SetupID, deviceID: DeviceID) {
        bytes = Array(SHA512.hash(Array(setupID.text.utf8) + Array(deviceID.text.utf8)).prefix(4))
    }

    /// The TXT value: eight characters of Base64.
    public var text: String {
        Base64.encode(bytes)
    }
}

extension SetupHash: CustomStringConvertible {
    /// The TXT value.
    public var description: String {
        text
    }
}
