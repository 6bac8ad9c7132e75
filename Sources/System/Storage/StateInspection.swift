package import AccessoryModel
internal import GRDB
internal import Glibc

/// The state of a folder, read without opening the store and without changing anything.
package struct StateInspection: Sendable, Hashable {
    /// The content of the database.
    package enum Contents: Sendable, Hashable {
        /// There is no database yet.
        case none
        /// It is intact; `isCurrent` says whether its tables have the current version.
        case intact(servers: [StoredServer], isCurrent: Bool)
        /// The database exists, but cannot be read now without changing a file.
        case unreadable
        /// The database cannot be used, for this reason.
        case unusable(StoreError)
    }

    /// The process that has the state open.
    package var holder: StateHolder?
    /// Whether the folder exists.
    package var exists = true
    /// Whether this process may write to the folder and its files.
    package var isWritable = true
    /// Whether users other than the owner may read the database.
    package var isExposed = false
    /// The size of the database and its log, in bytes.
    package var size = 0
    /// The number of bytes that this user may still write to the disk; `nil` if unknown.
    package var freeBytes: Int?
    /// The content of the database.
    package var contents: Contents
}

/// The process that holds a state folder.
public struct StateHolder: Sendable, Hashable {
    /// The process id; `nil` if the lock file does not contain it.
    public var processID: Int32?
}

extension StateHolder: CustomStringConvertible {
    /// `process 123`, or `another process`.
    public var description: String {
        processID.map { "process \($0)" } ?? "another process"
    }
}

extension StateDatabase {
    /// Reads the servers of a database, whether or not another process has it open.
    ///
    /// - Parameter name: The path as ``StateFolder/sqlitePath(_:)`` returns it, or a `file:` URI with SQLite's
    ///   parameters.
    static func readServers(
        _ folder: StateFolder,
        as name: String
    ) throws -> (servers: [StoredServer], isCurrent: Bool) {
        let queue = try inspectionQueue(folder, as: name)
        let found = try queue.read { db in
            let isCurrent = try checkIntegrity(db, folder)
            return (servers: isCurrent ? try storedServers(in: db) : [], isCurrent: isCurrent)
        }
        try queue.close()
        return found
    }

    /// Returns a connection that cannot write.
    ///
    /// A writable one would move the log into the file when it is closed, even if the log or the file is damaged.
    static func inspectionQueue(_ folder: StateFolder, as name: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "hap.state.inspection"
        configuration.readonly = true
        configuration.busyMode = .timeout(folder.file.busySeconds)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -256; PRAGMA cell_size_check = ON")
        }
        return try DatabaseQueue(path: name, configuration: configuration)
    }

    /// Returns whether the tables have the current version; throws if the file is damaged.
    static func checkIntegrity(_ db: Database, _ folder: StateFolder) throws -> Bool {
        // If there is a log, a kill may have left the last page of the file incomplete, but the log has the complete
        // page.
        let unloggedSize =
            (StateFolder.fileStatus(of: folder.logPath)?.st_size ?? 0) == 0
            ? StateFolder.fileStatus(of: folder.databasePath)?.st_size : nil
        guard try db.tableExists("grdb_migrations") else {
            throw StoreError.damaged(folder, "it was not written by hap")
        }
        let migrator = folder.file.migrator
        if try migrator.hasBeenSuperseded(db) {
            throw StoreError.tooNew(folder)
        }
        // SQLite fills a truncated page with zeros and treats them as content.
        if let unloggedSize, let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size"), pageSize > 0,
            !unloggedSize.isMultiple(of: pageSize)
        {
            throw StoreError.damaged(folder, "it was cut short")
        }
        guard try Row.fetchOne(db, sql: "PRAGMA quick_check(1)")?.text(0, of: "quick_check") == "ok" else {
            throw StoreError.damaged(folder, "its pages are inconsistent")
        }
        return try migrator.hasCompletedMigrations(db)
    }

    private static func storedServers(in db: Database) throws -> [StoredServer] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT server_key, failed_proofs, device_id, port,
                    (SELECT count(*) FROM pairing WHERE server = server.id),
                    (SELECT count(*) FROM pairing WHERE server = server.id AND admin)
                FROM server LEFT JOIN identity ON identity.server = server.id ORDER BY server.id
                """
        )
        return try Array(
            rows.map { row in
                StoredServer(
                    key: try row.text(0, of: "server"),
                    deviceID: (row[2] as DatabaseValue).isNull ? nil : try row.text(2, of: "identity"),
                    port: (row[3] as DatabaseValue).isNull
                        ? nil : UInt16(exactly: try row.integer(3, of: "identity")),
                    pairings: Int(clamping: try row.integer(4, of: "pairing")),
                    admins: Int(clamping: try row.integer(5, of: "pairing")),
                    failedProofs: Int(clamping: try row.integer(1, of: "server"))
                )
            }
        )
    }
}
