internal import HAPCore

/// A device ID and a setup ID that are derived from a key.
///
/// They are always the same for a key, so that writing a document twice gives the same file.
struct DerivedIdentity: Hashable {
    /// The first six bytes of the digest.
    let deviceID: DeviceID?
    /// The setup ID from the four bytes after the device ID.
    let setupID: SetupID?

    /// Derives an identity for a bridged accessory from properties that survive writing and reading its file.
    init(behind bridge: DeviceID?, aid: AccessoryID?) {
        self.init(key: "\(bridge?.text ?? "")/\(aid?.rawValue ?? 0)")
    }

    /// Derives an identity from the SHA-512 of a key.
    init(key: String) {
        let digest = SHA512.hash(Array(key.utf8))
        let bytes = digest.prefix(6).map(\.paddedHexadecimal)
        deviceID = DeviceID(bytes.joined(separator: ":"))
        let characters = digest[6..<10].map { SetupID.alphabet[Int($0) % SetupID.alphabet.count] }
        setupID = SetupID(String(decoding: characters, as: UTF8.self))
    }
}
