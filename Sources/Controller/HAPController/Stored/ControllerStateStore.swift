public import AccessoryModel
internal import GRDB
internal import Storage

/// The saved state of a controller: its identity and its pairings.
///
/// ```swift
/// let store = try await ControllerStateStore.open(folder: "/home/me/.local/state/hap")
/// for pairing in try await store.pairings() { print(pairing.alias) }
/// try await store.close()
/// ```
///
/// The folder (`0700`) contains a SQLite database `controller.sqlite` with its `-wal` and `-shm` files (`0600`); it may
/// be the folder of a `StateStore`. Several processes can use it at the same time: a call waits up to five seconds for
/// a change by another process.
///
/// After an error the store can still be used. A change that failed was not made.
public final class ControllerStateStore: Sendable {
    let database: StateDatabase

    private init(_ database: StateDatabase) {
        self.database = database
    }

    /// Opens the state in a folder, and creates folder and database if necessary.
    ///
    /// A database that is damaged or of a newer version is left unchanged.
    ///
    /// - Throws: `.damaged`; `.tooNew`; `.unavailable` if the folder or its files cannot be created or used; `.inUse`
    ///   if another process locks it for longer than five seconds.
    public static func open(folder: String) async throws(StoreError) -> ControllerStateStore {
        ControllerStateStore(try await StateDatabase.openShared(ControllerSchema.file, in: folder))
    }

    /// Opens a state in memory, which exists until it is closed.
    ///
    /// - Parameter name: A name such as a UUID, which no other open state of this process has.
    package static func openInMemory(named name: String) throws(StoreError) -> ControllerStateStore {
        ControllerStateStore(try StateDatabase.openInMemory(ControllerSchema.file, named: name))
    }

    /// Returns whether a folder contains a database or parts of one, so that ``open(folder:)`` would not create a new
    /// one.
    ///
    /// Changes nothing.
    ///
    /// - Throws: `.unavailable` if the folder cannot be read, or is not a folder.
    public static func exists(in folder: String) throws(StoreError) -> Bool {
        try StateDatabase.exists(ControllerSchema.file, in: folder)
    }

    /// Closes the database after pending changes.
    ///
    /// A second call has no effect. Later calls of other methods fail with `.unavailable`. No data is lost if the store
    /// is not closed.
    public func close() async throws(StoreError) {
        try await database.close()
    }
}

extension ControllerStateStore {
    /// The number of targets that are remembered; otherwise mistyped targets would accumulate.
    private static let maximumTargets: Int64 = 256

    /// Counts a setup code that was not accepted.
    ///
    /// - Returns: The number of rejected codes, including this one. Only the 256 most recent targets are remembered.
    public func countWrongCode(at target: String) async throws(StoreError) -> Int {
        try await database.write(.synced) { db in
            let target = StoredText(target)
            let sql = "SELECT count FROM wrong_code WHERE target = ?"
            let former = try Row.fetchOne(db, sql: sql, arguments: [target])?.integer(0, of: "wrong_code") ?? 0
            // The stored number may have any value, and the sum must not overflow.
            let count = min(max(0, former), Int64(Int32.max)) + 1
            try db.execute(sql: "DELETE FROM wrong_code WHERE target = ?", arguments: [target])
            try db.execute(
                sql: """
                    INSERT INTO wrong_code (id, target, count)
                    SELECT coalesce(max(id), 0) + 1, ?, ? FROM wrong_code
                    """,
                arguments: [target, count]
            )
            try db.execute(
                sql: """
                    DELETE FROM wrong_code WHERE id NOT IN (SELECT id FROM wrong_code ORDER BY id DESC LIMIT ?)
                    """,
                arguments: [Self.maximumTargets]
            )
            return Int(count)
        }
    }

    /// Resets the count, because a code was accepted.
    public func resetWrongCodes(at target: String) async throws(StoreError) {
        try await database.write(.synced) { db in
            try db.execute(sql: "DELETE FROM wrong_code WHERE target = ?", arguments: [StoredText(target)])
        }
    }
}

/// The tables of a controller, and the migrations of older files.
///
/// Text from outside is stored in columns of type `ANY`: see ``StoredText``. A migration that has been released is
/// never edited; a change of the schema is a new migration after it.
enum ControllerSchema {
    /// The database of a controller.
    static let file = StateFile(
        name: "controller.sqlite",
        lockName: "controller.lock",
        versions: versions,
        recovery: "pair all accessories again"
    )

    /// The changes of each version, starting with `v1`.
    static let versions = [v1, v2]

    private static let v1 = """
        CREATE TABLE identity (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            identifier BLOB NOT NULL,
            seed BLOB NOT NULL
        ) STRICT;

        -- The order of id is the order in which pairings were made.
        CREATE TABLE pairing (
            id INTEGER PRIMARY KEY,
            alias ANY NOT NULL UNIQUE,
            identifier BLOB NOT NULL UNIQUE,
            public_key BLOB NOT NULL,
            host ANY,
            port INTEGER
        ) STRICT;

        CREATE TABLE cached_database (
            pairing INTEGER PRIMARY KEY REFERENCES pairing(id) ON DELETE CASCADE,
            configuration INTEGER,
            body BLOB
        ) STRICT;
        """

    /// The table of wrong codes is limited to the newest rows, which have the largest ids.
    private static let v2 = """
        CREATE TABLE wrong_code (
            id INTEGER PRIMARY KEY,
            target ANY NOT NULL UNIQUE,
            count INTEGER NOT NULL
        ) STRICT;
        """
}
