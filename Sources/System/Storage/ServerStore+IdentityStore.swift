public import AccessoryModel
internal import FoundationEssentials
internal import GRDB
internal import HAPCore

// A secret passes through here: the seed of the long-term key. Our code does not copy it: it is bound from and read into
// locked memory. SQLite unavoidably copies it into its page cache (256 KiB, while the page is in use) and into its log.
// Deleted rows are overwritten with zeros.
extension ServerStore: IdentityStore {
    /// Returns the identity; `nil` before the first start and after a reset.
    public func identity() async throws(StoreError) -> IdentityRecord? {
        let key = StoredText(key)
        return try await database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT device_id, setup_id, setup_code, port, seed
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
            // Not a cached statement: it would keep its arguments, including the address of the secret.
            let statement = try db.makeStatement(
                sql: """
                    INSERT OR REPLACE INTO identity
                        (server, device_id, setup_id, setup_code, port, seed, salt, verifier)
                    VALUES (?, ?, ?, ?, ?, ?, x'', x'')
                    """
            )
            try identity.identity.signingKey.withSeed { seed in
                try statement.execute(
                    arguments: [
                        server,
                        identity.identity.deviceID.text,
                        identity.setupID.text,
                        identity.setupCode.text,
                        identity.port.map { Int64($0) },
                        Data.noCopy(seed),
                    ]
                )
            }
        }
    }

    private static func identity(in row: Row) throws -> IdentityRecord {
        let damage = DamagedRow(table: "identity")
        guard let deviceID = DeviceID(try row.text(0, of: damage.table)),
            let setupID = SetupID(try row.text(1, of: damage.table)),
            let setupCode = SetupCode(try row.text(2, of: damage.table))
        else { throw damage }
        let identity = try row.withUnsafeData(atIndex: 4) { seed in
            guard let seed, seed.count == 32 else { throw damage }
            return AccessoryIdentity(
                deviceID: deviceID,
                signingKey: Ed25519SigningKey(seed: SecretBytes(copying: seed))
            )
        }
        return IdentityRecord(
            identity: identity,
            setupID: setupID,
            setupCode: setupCode,
            port: try row.port(3, of: damage.table)
        )
    }
}
