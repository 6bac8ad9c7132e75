package import AccessoryModel
internal import GRDB

extension StateDatabase {
    /// Opens a database in memory, which all connections of this process with the same name share.
    ///
    /// It exists until the last connection is closed.
    ///
    /// - Parameter name: The name, without characters that have a meaning in a URI, such as a UUID.
    /// - Throws: `.unavailable` if this build of SQLite does not support it.
    package static func openInMemory(_ file: StateFile, named name: String) throws(StoreError) -> StateDatabase {
        let folder = StateFolder(path: ":memory:", file: file)
        do {
            var configuration = Configuration()
            configuration.label = "hap.state.memory"
            configuration.busyMode = .timeout(file.busySeconds)
            configuration.prepareDatabase { db in
                // Without URIs, the first write would create a file with this name.
                guard try Bool.fetchOne(db, sql: "SELECT sqlite_compileoption_used('USE_URI')") == true else {
                    throw StoreError(
                        .unavailable,
                        reason: "This build of SQLite does not open databases in memory by name.",
                        remedy: "Install the package libsqlite3-0 of Debian or Ubuntu."
                    )
                }
            }
            // Unlike a shared cache, this lets a connection wait until another one has written.
            let queue = try DatabaseQueue(path: "file:/\(name)/\(file.name)?vfs=memdb", configuration: configuration)
            try file.migrator.migrate(queue)
            return StateDatabase(queue, in: folder, holding: nil)
        } catch {
            throw StoreError(error, in: folder)
        }
    }
}
