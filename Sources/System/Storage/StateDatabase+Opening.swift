package import AccessoryModel
internal import GRDB
internal import Glibc

extension StateDatabase {
    /// The number of attempts to acquire the lock while another process creates the database: five seconds in total.
    private static let sharedOpeningAttempts = 2_500

    /// Opens a database that several processes use at once, and creates folder and database if necessary.
    ///
    /// A database that is damaged or of a newer version is left unchanged. One of an obsolete version is renamed.
    ///
    /// - Throws: `.damaged`; `.tooNew`; `.unavailable` if the folder or its files cannot be created or used; `.inUse`
    ///   if another process locks it for longer than five seconds.
    package static func openShared(_ file: StateFile, in path: String) async throws(StoreError) -> StateDatabase {
        let folder = StateFolder(path: path, file: file)
        try folder.create()
        // Only one process at a time creates the database or changes its tables. The lock is released afterwards.
        let lock = try await StateLock(folder, attempts: sharedOpeningAttempts)
        defer { lock.release() }
        let obsolete = isObsolete(folder) ? try folder.setAside() : nil
        return try open(folder, holding: nil, setAside: obsolete)
    }

    /// Returns whether a database has tables of a version before the first one that this build supports.
    ///
    /// Errors of an unreadable file are found when it is opened.
    private static func isObsolete(_ folder: StateFolder) -> Bool {
        guard folder.file.firstVersion > 1, StateFolder.fileStatus(of: folder.databasePath)?.st_size ?? 0 > 0,
            let queue = try? inspectionQueue(folder, as: StateFolder.sqlitePath(folder.databasePath))
        else { return false }
        defer { try? queue.close() }
        let versions = try? queue.read { db in
            try Row.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
                .map { try $0.text(0, of: "grdb_migrations") }
        }
        return (1..<folder.file.firstVersion).contains { versions?.contains("v\($0)") ?? false }
    }

    /// Returns whether a folder has a database, or parts of one, so that ``openShared(_:in:)`` would not create one.
    ///
    /// - Throws: `.unavailable` if the folder cannot be read, or is not a folder.
    package static func exists(_ file: StateFile, in path: String) throws(StoreError) -> Bool {
        try StateFolder(path: path, file: file).hasContents()
    }

    /// Opens the database of a folder that the caller has locked, and creates it if necessary.
    ///
    /// A file that is damaged or too new is not changed.
    ///
    /// - Parameter lock: The lock that is released when the database is closed; `nil` if other processes may open the
    ///   database, too.
    static func open(
        _ folder: StateFolder,
        holding lock: StateLock?,
        setAside: String? = nil
    ) throws(StoreError) -> StateDatabase {
        folder.removeDraft()
        try folder.checkFiles()
        if let status = StateFolder.fileStatus(of: folder.databasePath) {
            // SQLite treats an empty file as a new database, and would lose every pairing.
            guard status.st_size > 0 else { throw .damaged(folder, "it is empty") }
        } else {
            // SQLite would replay such a log into the new database.
            if let log = StateFolder.fileStatus(of: folder.logPath), log.st_size > 0 {
                throw .damaged(folder, "it is missing, but its log exists")
            }
            try create(in: folder)
        }
        folder.restrictFiles()
        do {
            let isCurrent = try checkIntegrity(folder)
            let queue = try connect(folder)
            if !isCurrent {
                try folder.file.migrator.migrate(queue)
            }
            return StateDatabase(queue, in: folder, holding: lock, setAside: setAside)
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Creates a database under a temporary name.
    ///
    /// Until it has its final name, nothing in it must be durable. It uses WAL mode from the start: switching later
    /// would be a separate write, and a kill during that write leaves a file that cannot be checked without writing.
    static func create(in folder: StateFolder) throws(StoreError) {
        try folder.createDraft()
        do {
            var configuration = Configuration()
            configuration.label = "hap.state.draft"
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
            }
            let queue = try DatabaseQueue(path: StateFolder.sqlitePath(folder.draftPath), configuration: configuration)
            try folder.file.migrator.migrate(queue)
            try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
            try queue.close()
        } catch {
            throw StoreError(error, in: folder)
        }
        try folder.publishDraft()
    }

    /// Checks the integrity of the whole file; returns whether the tables are those of this version.
    private static func checkIntegrity(_ folder: StateFolder) throws -> Bool {
        let queue = try inspectionQueue(folder, as: StateFolder.sqlitePath(folder.databasePath))
        let isCurrent = try queue.unsafeRead { db in try checkIntegrity(db, folder) }
        try queue.close()
        return isCurrent
    }

    private static func connect(_ folder: StateFolder) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "hap.state"
        configuration.busyMode = .timeout(folder.file.busySeconds)
        configuration.prepareDatabase { db in
            // GRDB's own method of enabling WAL mode writes at every start and sets synchronous to NORMAL.
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                throw StoreError(
                    .unavailable,
                    reason: "The disk of \(folder.databasePath) does not support a write-ahead log.",
                    remedy: "Name a state folder on a local disk."
                )
            }
            // Deleted content is overwritten with zeros. The log is emptied every 256 pages (1 MB), which limits the
            // time that a start after a kill needs to read it.
            try db.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA secure_delete = ON;
                    PRAGMA cell_size_check = ON;
                    PRAGMA cache_size = -256;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA wal_autocheckpoint = 256
                    """
            )
        }
        return try DatabaseQueue(path: StateFolder.sqlitePath(folder.databasePath), configuration: configuration)
    }
}

/// The guarantee that a write gives when it returns.
///
/// With SQLite's write-ahead log, both kinds of writes survive the end of the process, because the operating system has
/// the bytes. On two busy cores with the release build, the medians and 99th percentiles from call to return were:
///
/// - a synced change: 0.40 ms and 7.2 ms, with one `fdatasync`
/// - ten buffered values: 0.21 ms and 0.48 ms, without `fdatasync`
package enum Durability: String, Sendable {
    /// The write is on disk and survives a loss of power. The log is synced once, including all earlier buffered
    /// writes.
    case synced = "FULL"
    /// The system has the write. A loss of power may lose it, but never a part of it or anything that was synced.
    case buffered = "NORMAL"
}
