public import AccessoryModel
internal import FoundationEssentials
internal import GRDB
public import HAPCore

extension ServerStore: PairingStore {
    /// Returns the pairings in the order in which they were added, and the number of failed proofs.
    public func pairings() async throws(StoreError) -> PairingTable {
        let key = StoredText(key)
        return try await database.read { db in
            let servers = "SELECT id, failed_proofs FROM server WHERE server_key = ?"
            guard let server = try Row.fetchOne(db, sql: servers, arguments: [key]) else { return PairingTable() }
            guard let failedProofs = Int(exactly: try server.integer(1, of: "server")), failedProofs >= 0 else {
                throw DamagedRow(table: "server")
            }
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT identifier, public_key, admin FROM pairing WHERE server = ? ORDER BY id",
                arguments: [try server.integer(0, of: "server")]
            )
            return PairingTable(pairings: try Array(rows.map(Self.pairing)), failedProofs: failedProofs)
        }
    }

    /// Applies one change, completely or not at all.
    public nonisolated(nonsending) func apply(_ change: PairingChange) async throws(StoreError) {
        let key = StoredText(key)
        try await database.write(.synced) { db in
            switch change {
            case .put(let pairing):
                try Self.upsert(pairing, of: try Self.row(of: key, in: db), in: db)
            case .remove(let identifier):
                guard let server = try Self.existingRow(of: key, in: db) else { return }
                try db.execute(
                    sql: "DELETE FROM pairing WHERE server = ? AND identifier = ?",
                    arguments: [server, Data(identifier.bytes)]
                )
            case .removeAll:
                guard let server = try Self.existingRow(of: key, in: db) else { return }
                try db.execute(sql: "DELETE FROM pairing WHERE server = ?", arguments: [server])
            case .countFailedProof:
                try db.execute(
                    sql: "UPDATE server SET failed_proofs = failed_proofs + 1 WHERE id = ?",
                    arguments: [try Self.row(of: key, in: db)]
                )
            case .clearFailedProofs:
                try db.execute(sql: "UPDATE server SET failed_proofs = 0 WHERE server_key = ?", arguments: [key])
            }
        }
    }

    /// Adds a pairing at the end, or replaces the one with the same identifier.
    private static func upsert(_ pairing: Pairing, of server: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO pairing (server, identifier, public_key, admin) VALUES (?, ?, ?, ?)
                ON CONFLICT (server, identifier)
                DO UPDATE SET public_key = excluded.public_key, admin = excluded.admin
                """,
            arguments: [server, Data(pairing.identifier.bytes), Data(pairing.publicKey.bytes), pairing.isAdmin]
        )
    }

    private static func pairing(in row: Row) throws -> Pairing {
        let damage = DamagedRow(table: "pairing")
        guard let identifier = ControllerIdentifier(try row.bytes(0, of: damage.table)),
            let publicKey = Ed25519PublicKey(try row.bytes(1, of: damage.table))
        else { throw damage }
        let isAdmin =
            switch try row.integer(2, of: damage.table) {
            case 0: false
            case 1: true
            default: throw damage
            }
        return Pairing(identifier: identifier, publicKey: publicKey, isAdmin: isAdmin)
    }
}
