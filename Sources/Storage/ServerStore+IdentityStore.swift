public import AccessoryModel
internal import Foundation
internal import GRDB
internal import HAPCore

// Two secrets pass through here: the seed of the long-term key and the verifier of the setup code. Our code does not
// copy them: both are bound from and read into locked memory. SQLite unavoidably copies them into its page cache (256
// KiB, while the page is in use) and into its log. Deleted rows are overwritten with zeros.
extension ServerStore: IdentityStore {
    /// Returns the identity; `nil` before the first start and after a reset.
    public func identity() async throws(StoreError) -> IdentityRecord? {
        let key = StoredText(key)
        return try await database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT device_id, setup_id, setup_code, salt, port, seed, verifier
                    FROM identity WHERE server = (SELECT id FROM server WHERE server_key = ?)
                    """,
                arguments: [key]
            )
            guard let row = try rows.next() else { return nil }
            return try Self.identity(in: row)
        }
    }

    /// Saves an identity, replacing the previous one.
    public func save(_ identity: IdentityRecord) async throws(StoreError) {
        let key = StoredText(key)
        try await database.write(.synced) { db in
            let server = try Self.row(of: key, in: db)
            // Not a cached statement: it would keep its arguments, including the addresses of the secrets.
            let statement = try db.makeStatement(
                sql: """
                    INSERT OR REPLACE INTO identity
                        (server, device_id, setup_id, setup_code, salt, port, seed, verifier)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            )
            try identity.identity.signingKey.withSeed { seed in
                try identity.verifier.verifier.withBytes { verifier in
                    try statement.execute(
                        arguments: [
                            server,
                            identity.identity.deviceID.text,
                            identity.setupID.text,
                            identity.setupCode.text,
                            Data(identity.verifier.salt),
                            identity.port.map { Int64($0) },
                            Data.noCopy(seed),
                            Data.noCopy(verifier),
                        ]
                    )
                }
            }
        }
    }

    private static func identity(in row: Row) throws -> IdentityRecord {
        let damage = DamagedRow(table: "identity")
        guard let deviceID = DeviceID(try row.text(0, of: damage.table)),
            let setupID = SetupID(try row.text(1, of: damage.table)),
            let setupCode = SetupCode(try row.text(2, of: damage.table))
        else { throw damage }
        let salt = try row.bytes(3, of: damage.table)
        let identity = try row.withUnsafeData(atIndex: 5) { seed in
            guard let seed, seed.count == 32 else { throw damage }
            return AccessoryIdentity(
                deviceID: deviceID,
                signingKey: Ed25519SigningKey(seed: SecretBytes(copying: seed))
            )
        }
        let verifier = try row.withUnsafeData(atIndex: 6) { bytes in
            guard let bytes, !bytes.isEmpty,
                let verifier = SRPVerifier(salt: salt, verifier: SecretBytes(copying: bytes))
            else { throw damage }
            return verifier
        }
        return IdentityRecord(
            identity: identity,
            setupID: setupID,
            setupCode: setupCode,
            verifier: verifier,
            port: try row.port(4, of: damage.table)
        )
    }
}
