public import AccessoryModel
internal import GRDB
internal import Storage

/// The state of a controller: who it is, and which accessories it is paired with.
///
/// ```swift
/// let store = try await ControllerStateStore.open(folder: "/home/me/.local/state/hap")
/// for pairing in try await store.pairings() { print(pairing.alias) }
/// try await store.close()
/// ```
///
/// The folder (`0700`) holds a SQLite database `controller.sqlite` with its `-wal` and `-shm` files (`0600`); it may be
/// the folder of a `StateStore`. Several processes use it at once: a call waits up to five seconds for the change that
/// another one is making.
///
/// After an error the store can be used again: a change that failed was not made.
public final class ControllerStateStore: Sendable {
    let database: StateDatabase

    private init(_ database: StateDatabase) {
        self.database = database
    }

    /// Opens the state in a folder; makes folder and database when there are none.
    ///
    /// A database that is damaged or of a newer version is left as it is.
    ///
    /// - Throws: `.damaged`; `.tooNew`; `.unavailable` when the folder or the files in it cannot be made or used;
    ///   `.inUse` when another process keeps it locked for longer than five seconds.
    public static func open(folder: String) async throws(StoreError) -> ControllerStateStore {
        ControllerStateStore(try await StateDatabase.openShared(ControllerSchema.file, in: folder))
    }

    /// Whether a folder has a database, or what is left of one: whether ``open(folder:)`` would make none.
    ///
    /// Changes nothing.
    ///
    /// - Throws: `.unavailable` when the folder cannot be looked at, or is none.
    public static func exists(in folder: String) throws(StoreError) -> Bool {
        try StateDatabase.exists(ControllerSchema.file, in: folder)
    }

    /// Closes the database after the changes that were begun.
    ///
    /// A second call does nothing. All that is asked of the store later fails with `.unavailable`. Without it nothing is
    /// lost either.
    public func close() async throws(StoreError) {
        try await database.close()
    }
}

extension ControllerStateStore {
    /// How many targets are remembered: a count for each place that somebody has ever mistyped would never end.
    private static let maximumTargets: Int64 = 256

    /// Counts a setup code that was not accepted.
    ///
    /// - Returns: how many there were, this one included; the targets beyond the 256 last ones are forgotten.
    public func countWrongCode(at target: String) async throws(StoreError) -> Int {
        try await database.write(.synced) { db in
            let target = StoredText(target)
            let sql = "SELECT count FROM wrong_code WHERE target = ?"
            let former = try Row.fetchOne(db, sql: sql, arguments: [target])?.integer(0, of: "wrong_code") ?? 0
            // Nobody counts beyond that, and a file may hold anything.
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

    /// Begins the count anew: a code was accepted.
    public func resetWrongCodes(at target: String) async throws(StoreError) {
        try await database.write(.synced) { db in
            try db.execute(sql: "DELETE FROM wrong_code WHERE target = ?", arguments: [StoredText(target)])
        }
    }
}

/// The tables of a controller, and how older files come to have them.
///
/// Text that comes from outside goes into columns of type `ANY`: see ``StoredText``. A migration that has been released
/// is never edited; a change of the schema is a new one below it.
enum ControllerSchema {
    /// The database of a controller.
    static let file = StateFile(
        name: "controller.sqlite",
        lockName: "controller.lock",
        versions: versions,
        recovery: "pair all accessories again"
    )

    /// What each version adds, from `v1` on.
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

    /// The newest rows have the largest ids.
    private static let v2 = """
        CREATE TABLE wrong_code (
            id INTEGER PRIMARY KEY,
            target ANY NOT NULL UNIQUE,
            count INTEGER NOT NULL
        ) STRICT;
        """
}
