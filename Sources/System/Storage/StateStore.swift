public import AccessoryModel
internal import GRDB
internal import HAPCore

/// The saved state of all accessory servers of a folder: identities, pairings, ids and values.
///
/// ```swift
/// let state = try await StateStore.open(folder: "/var/lib/hap")
/// let garage = state.server(key: "garage")
/// … garage is the IdentityStore, PairingStore and AttributeStore of the server …
/// try await state.close()
/// ```
///
/// The folder (`0700`) contains a SQLite database `hap.sqlite` with its `-wal` and `-shm` files (`0600`), and the file
/// `lock`. While the store is open, no other process and no second store of this process can open the folder.
///
/// After an error the store can be used again: a failed change was not made.
///
/// HAP: §1
public final class StateStore: Sendable {
    let database: StateDatabase

    private init(_ database: StateDatabase) {
        self.database = database
    }

    /// Opens the state in a folder, and creates folder and database if necessary.
    ///
    /// A database that is damaged or of a newer version is left unchanged. The call occupies its thread for a few
    /// milliseconds.
    ///
    /// - Throws: `.inUse` with the process that has it open; `.damaged`; `.tooNew`; `.unavailable` if the folder or its
    ///   files cannot be created or used.
    public static func open(folder: String) async throws(StoreError) -> StateStore {
        let folder = StateFolder(path: folder)
        try folder.create()
        let lock = try await StateLock(folder)
        return StateStore(try StateDatabase.open(folder, holding: lock))
    }

    /// Opens a state in memory, which exists until it is closed.
    ///
    /// - Parameter name: A name such as a UUID, which no other open state of this process has.
    package static func openInMemory(named name: String) throws(StoreError) -> StateStore {
        StateStore(try StateDatabase.openInMemory(.servers, named: name))
    }

    /// Returns whether a folder has a database, or parts of one, so that ``open(folder:)`` would not create one.
    ///
    /// Changes nothing.
    ///
    /// - Throws: `.unavailable` if the folder cannot be read, or is not a folder.
    public static func exists(in folder: String) throws(StoreError) -> Bool {
        try StateFolder(path: folder).hasDatabase()
    }

    /// Returns the process that has the state in a folder open, or `nil` if there is none.
    ///
    /// Changes nothing. A store that is being opened at the same moment waits a few milliseconds.
    ///
    /// - Throws: `.unavailable` if the lock cannot be read.
    public static func holder(of folder: String) throws(StoreError) -> StateHolder? {
        try StateLock.holder(of: StateFolder(path: folder))
    }

    /// Returns the state of one server.
    ///
    /// Nothing is stored for the server until something is saved.
    ///
    /// - Parameter key: The key that identifies the server across restarts; any text.
    public func server(key: String) -> ServerStore {
        ServerStore(key: key, database: database)
    }

    /// Returns the keys of all servers with saved state, in the order of their first write.
    public func serverKeys() async throws(StoreError) -> [String] {
        try await database.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT server_key FROM server ORDER BY id")
            return try rows.map { row in try row.text(0, of: "server") }
        }
    }

    /// Resets one server to the state before its first start.
    ///
    /// At its next start, the server gets a new device ID and key pair. Its ids, configuration number, values, pairings
    /// and number of failed proofs are deleted. The call returns when the change is on disk, and neither the database
    /// nor its log contains the deleted data. The call may be repeated after an error.
    ///
    /// HAP: §19
    public func reset(key: String) async throws(StoreError) {
        try await database.write(.synced) { db in
            try db.execute(sql: "DELETE FROM server WHERE server_key = ?", arguments: [StoredText(key)])
        }
        try await database.truncateLog()
    }

    /// Resets all servers, like ``reset(key:)``.
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

    /// Completes pending changes, closes the database, and lets other processes open the folder.
    ///
    /// The log is moved into the database. A second call has no effect. Later calls of other methods fail with
    /// `.unavailable`. If a store is not closed, nothing is lost, because the next start reads the log.
    public func close() async throws(StoreError) {
        try await database.close()
    }
}
