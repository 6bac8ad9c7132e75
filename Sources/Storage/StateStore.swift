public import AccessoryModel
internal import GRDB
internal import HAPCore

/// The state of all accessory servers of one folder: who they are, who is paired with them, ids and values.
///
/// ```swift
/// let state = try await StateStore.open(folder: "/var/lib/hap")
/// let garage = state.server(key: "garage")
/// // … garage is the IdentityStore, PairingStore and AttributeStore of the server …
/// try await state.close()
/// ```
///
/// The folder (`0700`) holds a SQLite database `hap.sqlite` with its `-wal` and `-shm` files (`0600`), and `lock`.
/// While it is open no other process, and no second store of this process, can open it.
///
/// After an error the store can be used again: a change that failed was not made.
///
/// HAP: §1
public final class StateStore: Sendable {
    let database: StateDatabase

    private init(_ database: StateDatabase) {
        self.database = database
    }

    /// Opens the state in a folder; makes folder and database when there are none.
    ///
    /// A database that is damaged or of a newer version is left as it is. Takes a few milliseconds of the calling
    /// thread.
    ///
    /// - Throws: `.inUse` with the process that has it open; `.damaged`; `.tooNew`; `.unavailable` when the folder or
    ///   the files in it cannot be made or used.
    public static func open(folder: String) async throws(StoreError) -> StateStore {
        let folder = StateFolder(path: folder)
        try folder.create()
        let lock = try await StateLock(folder)
        return StateStore(try StateDatabase.open(folder, holding: lock))
    }

    /// Whether a folder has a database: whether there is something that ``open(folder:)`` would open and not make.
    ///
    /// Changes nothing.
    ///
    /// - Throws: `.unavailable` when the folder cannot be looked at, or is none.
    public static func exists(in folder: String) throws(StoreError) -> Bool {
        try StateFolder(path: folder).hasDatabase()
    }

    /// Who has the state in a folder open, `nil` when no one has.
    ///
    /// Changes nothing. A store that is being opened at the same moment waits a few milliseconds.
    ///
    /// - Throws: `.unavailable` when the lock cannot be looked at.
    public static func holder(of folder: String) throws(StoreError) -> StateHolder? {
        try StateLock.holder(of: StateFolder(path: folder))
    }

    /// The state of one server.
    ///
    /// Nothing is kept for it until something is saved.
    ///
    /// - Parameter key: what names the server across restarts: any text.
    public func server(key: String) -> ServerStore {
        ServerStore(key: key, database: database)
    }

    /// The keys of all servers for which something is kept, in the order in which they were first seen.
    public func serverKeys() async throws(StoreError) -> [String] {
        try await database.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT server_key FROM server ORDER BY id")
            return try rows.map { row in try row.text(0, of: "server") }
        }
    }

    /// Resets one server to the state before its first start.
    ///
    /// At the next one it gets a new device ID and key pair; ids, configuration number, values, pairings and the count
    /// of failed proofs are gone. Returns when that is on disk and nothing is left in the database and its log; may be
    /// repeated after an error.
    ///
    /// HAP: §19
    public func reset(key: String) async throws(StoreError) {
        try await database.write(.synced) { db in
            try db.execute(sql: "DELETE FROM server WHERE server_key = ?", arguments: [StoredText(key)])
        }
        try await database.truncateLog()
    }

    /// Resets all servers, as ``reset(key:)`` does one.
    ///
    /// HAP: §19
    public func resetAll() async throws(StoreError) {
        try await database.write(.synced) { db in
            try db.execute(sql: "DELETE FROM server")
        }
        try await database.truncateLog()
    }

    /// Removes the pairings of one server and nothing else; returns when that is on disk.
    ///
    /// HAP: §19
    public func removePairings(key: String) async throws(StoreError) {
        try await server(key: key).apply(.removeAll)
    }

    /// Removes the pairings of all servers and nothing else; returns when that is on disk.
    ///
    /// HAP: §19
    public func removeAllPairings() async throws(StoreError) {
        try await database.write(.synced) { db in
            try db.execute(sql: "DELETE FROM pairing")
        }
    }

    /// Closes the database after the changes that were begun, and lets others open the folder.
    ///
    /// The log is moved into the database. A second call does nothing. All that is asked of the store later fails with
    /// `.unavailable`.
    ///
    /// Without it nothing is lost either: the next start reads the log.
    public func close() async throws(StoreError) {
        try await database.close()
    }
}
