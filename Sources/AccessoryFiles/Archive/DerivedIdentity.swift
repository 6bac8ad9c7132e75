internal import HAPCore

/// A device ID and a setup ID for a key that has none: always the same ones, since a writer has no chance to draw them.
struct DerivedIdentity: Hashable {
    /// The first six bytes of the digest.
    let deviceID: DeviceID?
    /// Of the four bytes behind those.
    let setupID: SetupID?

    /// Derives them for an accessory behind a bridge from what comes back from a file that it is in.
    init(behind bridge: DeviceID?, aid: AccessoryID?) {
        self.init(key: "\(bridge?.text ?? "")/\(aid?.rawValue ?? 0)")
    }

    /// Derives them from the SHA-512 of the key.
    init(key: String) {
        let digest = SHA512.hash(Array(key.utf8))
        let bytes = digest.prefix(6).map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }
        deviceID = DeviceID(bytes.joined(separator: ":"))
        let characters = digest[6..<10].map { SetupID.alphabet[Int($0) % SetupID.alphabet.count] }
        setupID = SetupID(String(decoding: characters, as: UTF8.self))
    }
}
