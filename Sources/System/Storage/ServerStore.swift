internal import GRDB

/// The saved state of one accessory server, in the database that it shares with the other servers of the folder.
///
/// Identity, pairings, ids and configuration number are on disk when a call returns. Values are passed to the system:
/// they survive the end of the process, but a power failure may lose the most recent ones.
///
/// HAP: §1
public struct ServerStore: Sendable {
    /// The key that identifies the server across restarts.
    public let key: String
    let database: StateDatabase

    /// Returns the row of a server, and creates it if necessary.
    static func row(of key: StoredText, in db: Database) throws -> Int64 {
        if let row = try existingRow(of: key, in: db) { return row }
        try db.execute(sql: "INSERT INTO server (server_key) VALUES (?)", arguments: [key])
        return db.lastInsertedRowID
    }

    /// Returns the row of a server, `nil` if there is none.
    static func existingRow(of key: StoredText, in db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT id FROM server WHERE server_key = ?")
        return try Row.fetchOne(statement, arguments: [key])?.integer(0, of: "server")
    }
}

/// A server in a state database, without its secrets.
package struct StoredServer: Sendable, Hashable {
    /// The key that identifies the server across restarts.
    package var key: String
    /// The device ID, `nil` before the first start has ended.
    package var deviceID: String?
    /// The saved port.
    package var port: UInt16?
    /// The number of paired controllers.
    package var pairings = 0
    /// The number of paired admins.
    package var admins = 0
    /// The number of consecutive wrong setup codes.
    package var failedProofs = 0
}
