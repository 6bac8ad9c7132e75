import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import TestSupport
import Testing

/// The implementations of the controller's store, each of which must pass the same suite.
enum ControllerStoreUnderTest: CaseIterable, Sendable {
    case memory
    case database

    /// Runs a test against a new store.
    func run(_ claim: (any ControllerStore) async throws -> Void) async throws {
        switch self {
        case .memory:
            try await claim(InMemoryControllerStore())
        case .database:
            let folder = try TemporaryFolder()
            let store = try await ControllerStateStore.open(folder: folder.state)
            try await claim(store)
            try await store.close()
        }
    }
}

func sampleController(_ identifier: String = "6FB0E2A1-0000-4000-8000-000000000001", fill: UInt8 = 0x21) throws
    -> ControllerIdentity
{
    ControllerIdentity(
        identifier: try #require(ControllerIdentifier(identifier)),
        signingKey: Ed25519SigningKey(seed: SecretBytes(copying: pattern(fill, count: 32)))
    )
}

func sampleStoredPairing(
    _ alias: String,
    device: String = "0A:1B:2C:3D:4E:5F",
    key: UInt8 = 1,
    host: String? = "192.168.1.20",
    port: UInt16? = 51_826
) throws -> StoredPairing {
    let publicKey = try #require(Ed25519PublicKey(pattern(key, count: 32)))
    let pairing = AccessoryPairing(identifier: Array(device.utf8), publicKey: publicKey)
    return StoredPairing(alias: alias, pairing: try #require(pairing), host: host, port: port)
}

extension ControllerIdentity {
    /// All data of the identity, for comparison; only for tests, because it includes the secret.
    var exposed: [[UInt8]] {
        [identifier.bytes, signingKey.withSeed { Array($0) }, publicKey.bytes]
    }
}
