import AccessoryModel
import HAPCore
import Testing

/// Returns bytes that are easy to find in a file.
func pattern(_ first: UInt8, count: Int) -> [UInt8] {
    (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0 &* 7) ^ UInt8(truncatingIfNeeded: $0 >> 3) }
}

func sampleIdentity(
    device: String = "0A:1B:2C:3D:4E:5F",
    code: String = "314-15-926",
    fill: UInt8 = 0x41,
    port: UInt16? = 51_826
) throws -> IdentityRecord {
    IdentityRecord(
        identity: AccessoryIdentity(
            deviceID: try #require(DeviceID(device)),
            signingKey: Ed25519SigningKey(seed: SecretBytes(copying: pattern(fill, count: 32)))
        ),
        setupID: try #require(SetupID("7OSX")),
        setupCode: try #require(SetupCode(code)),
        port: port
    )
}

func samplePairing(_ identifier: String, key: UInt8 = 1, isAdmin: Bool = true) throws -> Pairing {
    Pairing(
        identifier: try #require(ControllerIdentifier(identifier)),
        publicKey: try #require(Ed25519PublicKey(pattern(key, count: 32))),
        isAdmin: isAdmin
    )
}

func id(_ aid: UInt64, _ iid: UInt64) throws -> CharacteristicID {
    try #require(CharacteristicID(aid, iid))
}

extension IdentityRecord {
    /// All data of the record, for comparison; only for tests, because it includes the secrets.
    var exposed: [[UInt8]] {
        [
            Array(identity.deviceID.text.utf8),
            identity.signingKey.withSeed { Array($0) },
            identity.publicKey.bytes,
            Array(setupID.text.utf8),
            Array(setupCode.text.utf8),
            port.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? [],
        ]
    }
}
