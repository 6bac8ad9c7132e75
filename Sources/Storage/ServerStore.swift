internal import GRDB

/// The state of one accessory server, in the database that it shares with the other servers of the folder.
///
/// Identity, pairings, ids and configuration number are on disk when a call returns. Values are with the system: they
/// survive the end of the process, and a loss of power may lose those of the last moments.
///
/// HAP: §1
public struct ServerStore: Sendable {
    /// What names the server across restarts.
    public let key: String
    let database: StateDatabase

    /// The row of a server, which is made when there is none.
    static func row(of key: StoredText, in db: Database) throws -> Int64 {
        try db.execute(
            sql: "INSERT INTO server (server_key) VALUES (?) ON CONFLICT DO NOTHING",
            arguments: [key]
        )
        guard let row = try existingRow(of: key, in: db) else { throw DamagedRow(table: "server") }
        return row
    }

    /// The row of a server, `nil` when there is none.
    static func existingRow(of key: StoredText, in db: Database) throws -> Int64? {
        let sql = "SELECT id FROM server WHERE server_key = ?"
        return try Row.fetchOne(db, sql: sql, arguments: [key])?.integer(0, of: "server")
    }
}

/// What a state database says about one server, without its secrets.
package struct StoredServer: Sendable, Hashable {
    /// What names the server across restarts.
    package var key: String
    /// The device ID, `nil` before the first start has ended.
    package var deviceID: String?
    /// The port that is kept for it.
    package var port: UInt16?
    /// How many controllers are paired.
    package var pairings = 0
    /// How many of them are admins.
    package var admins = 0
    /// How many wrong setup codes in a row were tried.
    package var failedProofs = 0
}
