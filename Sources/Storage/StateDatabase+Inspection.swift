internal import AccessoryModel
internal import GRDB
internal import Glibc

extension StateDatabase {
    /// What a database that is open elsewhere, or that nobody has open, says about its servers.
    ///
    /// - Parameter name: the path as ``StateFolder/sqlitePath(_:)`` gives it, or a `file:` URI with SQLite's parameters.
    static func readable(
        _ folder: StateFolder,
        as name: String
    ) throws -> (servers: [KeptServer], isCurrent: Bool) {
        let queue = try inspectionQueue(folder, as: name)
        let found = try queue.read { db in
            let isCurrent = try examine(db, folder)
            return (servers: isCurrent ? try keptServers(in: db) : [], isCurrent: isCurrent)
        }
        try queue.close()
        return found
    }

    /// The connection cannot write: one that can moves the log into the file when it is closed, damaged or not.
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

    /// Returns whether the tables are those of this version; throws what is wrong with the file.
    static func examine(_ db: Database, _ folder: StateFolder) throws -> Bool {
        // With a log, an unfinished page is what a kill can leave, and the log has the whole one.
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
        // SQLite fills up a page that was cut short with zeros, and takes them for contents.
        if let unloggedSize, let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size"), pageSize > 0,
            !unloggedSize.isMultiple(of: pageSize)
        {
            throw StoreError.damaged(folder, "it was cut short")
        }
        guard try Row.fetchOne(db, sql: "PRAGMA quick_check(1)")?.text(0, of: "quick_check") == "ok" else {
            throw StoreError.damaged(folder, "its pages do not fit together")
        }
        return try migrator.hasCompletedMigrations(db)
    }

    private static func keptServers(in db: Database) throws -> [KeptServer] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT server_key, failed_proofs, device_id, port,
                    (SELECT count(*) FROM pairing WHERE server = server.id),
                    (SELECT count(*) FROM pairing WHERE server = server.id AND admin)
                FROM server LEFT JOIN identity ON identity.server = server.id ORDER BY server.id
                """
        )
        var servers: [KeptServer] = []
        while let row = try rows.next() {
            servers.append(
                KeptServer(
                    key: try row.text(0, of: "server"),
                    deviceID: (row[2] as DatabaseValue).isNull ? nil : try row.text(2, of: "identity"),
                    port: (row[3] as DatabaseValue).isNull
                        ? nil : UInt16(exactly: try row.integer(3, of: "identity")),
                    pairings: Int(clamping: try row.integer(4, of: "pairing")),
                    admins: Int(clamping: try row.integer(5, of: "pairing")),
                    failedProofs: Int(clamping: try row.integer(1, of: "server"))
                )
            )
        }
        return servers
    }
}
