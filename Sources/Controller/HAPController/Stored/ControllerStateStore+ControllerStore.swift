public import AccessoryModel
internal import FoundationEssentials
internal import GRDB
public import HAPCore
internal import Storage

// The only secret here is the seed of the long-term key. Like that of an accessory in `ServerStore`, it is bound from
// and read into locked memory, and this code never copies it.
extension ControllerStateStore: ControllerStore {
    /// Returns the controller's identifier and long-term key; `nil` before the first one is saved.
    public func identity() async throws(StoreError) -> ControllerIdentity? {
        try await database.read { db in try Self.identity(in: db) }
    }

    /// Saves the identity, unless there is one; returns the stored one.
    public func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity {
        try await database.write(.synced) { db in
            if let stored = try Self.identity(in: db) { return stored }
            // The statement is not cached, because a cached one would keep its arguments, including the address of the
            // secret.
            let statement = try db.makeStatement(
                sql: "INSERT INTO identity (id, identifier, seed) VALUES (1, ?, ?)"
            )
            try identity.signingKey.withSeed { seed in
                try statement.execute(arguments: [Data(identity.identifier.bytes), Data.noCopy(seed)])
            }
            return identity
        }
    }

    /// Returns the pairings, in the order in which the accessories were paired.
    public func pairings() async throws(StoreError) -> [StoredPairing] {
        try await database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT alias, identifier, public_key, host, port FROM pairing ORDER BY id"
            )
            return try Array(rows.map(Self.pairing))
        }
    }

    /// Saves a new pairing, or replaces the one with the same identifier and key, with this alias and endpoint.
    public func save(_ pairing: StoredPairing) async throws(StoreError) -> SavePairingResult {
        try await database.write(.synced) { db in
            let key = PairingKey(pairing.pairing)
            let alias = StoredText(pairing.alias)
            let sameName = "SELECT 1 FROM pairing WHERE alias = ? AND identifier <> ?"
            guard try Row.fetchOne(db, sql: sameName, arguments: [alias, key.identifier]) == nil else {
                return .aliasTaken
            }
            let otherKey = "SELECT alias FROM pairing WHERE identifier = ? AND public_key <> ?"
            if let row = try Row.fetchOne(db, sql: otherKey, arguments: [key.identifier, key.publicKey]) {
                return .differentKey(alias: try row.text(0, of: "pairing"))
            }
            try db.execute(
                sql: """
                    INSERT INTO pairing (alias, identifier, public_key, host, port) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (identifier) DO UPDATE SET alias = excluded.alias,
                        host = excluded.host, port = excluded.port
                    """,
                arguments: [
                    alias, key.identifier, key.publicKey, pairing.host.map { StoredText($0) },
                    pairing.port.map { Int64($0) },
                ]
            )
            return .saved
        }
    }

    /// Changes the alias of a pairing.
    public func rename(_ pairing: AccessoryPairing, to alias: String) async throws(StoreError) -> RenamePairingResult {
        try await database.write(.synced) { db in
            let key = PairingKey(pairing)
            let sameName = "SELECT 1 FROM pairing WHERE alias = ? AND identifier <> ?"
            let taken = try Row.fetchOne(db, sql: sameName, arguments: [StoredText(alias), key.identifier])
            guard taken == nil else { return .aliasTaken }
            try db.execute(
                sql: "UPDATE pairing SET alias = ? WHERE \(PairingKey.condition)",
                arguments: [StoredText(alias), key.identifier, key.publicKey]
            )
            return db.changesCount > 0 ? .renamed : .notFound
        }
    }

    /// Saves the current endpoint of an accessory; has no effect if there is no such pairing.
    public func save(host: String, port: UInt16, of pairing: AccessoryPairing) async throws(StoreError) {
        try await database.write(.synced) { db in
            let key = PairingKey(pairing)
            try db.execute(
                sql: "UPDATE pairing SET host = ?, port = ? WHERE \(PairingKey.condition)",
                arguments: [StoredText(host), Int64(port), key.identifier, key.publicKey]
            )
        }
    }

    /// Removes a pairing and its cached database; has no effect if there is none.
    public func remove(_ pairing: AccessoryPairing) async throws(StoreError) {
        try await database.write(.synced) { db in
            let key = PairingKey(pairing)
            try db.execute(
                sql: "DELETE FROM pairing WHERE \(PairingKey.condition)",
                arguments: [key.identifier, key.publicKey]
            )
        }
    }

    /// Returns the database as it was last read; `nil` if none was saved.
    public func database(of pairing: AccessoryPairing) async throws(StoreError) -> CachedDatabase? {
        try await database.read { db in
            let key = PairingKey(pairing)
            let sql = """
                SELECT configuration, body FROM cached_database
                WHERE pairing = (SELECT id FROM pairing WHERE \(PairingKey.condition))
                """
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [key.identifier, key.publicKey]) else {
                return nil
            }
            let number: UInt64? =
                if case .null = row.storage(0) { nil } else { try row.unsigned(0, of: "cached_database") }
            return CachedDatabase(configurationNumber: number, body: try row.bytes(1, of: "cached_database"))
        }
    }

    /// Saves the database; has no effect if there is no such pairing.
    public func save(_ database: CachedDatabase, of pairing: AccessoryPairing) async throws(StoreError) {
        try await self.database.write(.synced) { db in
            let key = PairingKey(pairing)
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO cached_database (pairing, configuration, body)
                    SELECT id, ?, ? FROM pairing WHERE \(PairingKey.condition)
                    """,
                arguments: [
                    database.configurationNumber.map { Int64(bitPattern: $0) }, Data(database.body), key.identifier,
                    key.publicKey,
                ]
            )
        }
    }

    private static func identity(in db: Database) throws -> ControllerIdentity? {
        let damage = DamagedRow(table: "identity")
        let rows = try Row.fetchCursor(db, sql: "SELECT identifier, seed FROM identity")
        guard let row = try rows.next() else { return nil }
        guard let identifier = ControllerIdentifier(try row.bytes(0, of: damage.table)) else { throw damage }
        return try row.withUnsafeData(atIndex: 1) { seed in
            guard let seed, seed.count == 32 else { throw damage }
            return ControllerIdentity(
                identifier: identifier,
                signingKey: Ed25519SigningKey(seed: SecretBytes(copying: seed))
            )
        }
    }

    private static func pairing(in row: Row) throws -> StoredPairing {
        let damage = DamagedRow(table: "pairing")
        guard let publicKey = Ed25519PublicKey(try row.bytes(2, of: damage.table)),
            let pairing = AccessoryPairing(identifier: try row.bytes(1, of: damage.table), publicKey: publicKey)
        else { throw damage }
        let host: String? = if case .null = row.storage(3) { nil } else { try row.text(3, of: damage.table) }
        let port = try row.port(4, of: damage.table)
        return StoredPairing(alias: try row.text(0, of: damage.table), pairing: pairing, host: host, port: port)
    }
}

/// The key of a row of `pairing`.
///
/// The alias is not a key, because it may belong to another pairing by the time of a write.
private struct PairingKey {
    static let condition = "identifier = ? AND public_key = ?"

    let identifier: Data
    let publicKey: Data

    init(_ pairing: AccessoryPairing) {
        identifier = Data(pairing.identifier)
        publicKey = Data(pairing.publicKey.bytes)
    }
}
