internal import GRDB

/// A description of a database that a state folder may contain.
///
/// The module that defines the tables of a database describes the database with this type. The databases of a folder
/// are independent of each other.
package struct StateFile: Sendable {
    /// The file name of the database.
    let name: String
    /// The file name of the lock.
    let lockName: String
    /// The number of seconds that a transaction waits for transactions of other processes.
    let busySeconds: Double
    /// The action that the user can take after moving away a damaged database, as the end of a sentence.
    let recovery: String
    /// The SQL of each version of the tables, from the first one on.
    private let versions: [String]
    /// The number of the first supported version: databases of earlier versions are renamed.
    let firstVersion: Int

    /// Describes a database.
    ///
    /// - Parameters:
    ///   - name: The file name of the database.
    ///   - lockName: The file name of the lock that a process holds while it creates or changes the tables.
    ///   - versions: The SQL of each version of the tables, starting with the first. A released version is never
    ///     edited.
    ///   - firstVersion: The number of the first supported version. A database of an earlier version is renamed when it
    ///     is opened.
    ///   - recovery: The action that the user can take after moving away a damaged database, as the end of a sentence.
    ///   - busySeconds: The number of seconds that a transaction waits for those of other processes; by default, enough
    ///     for several processes that use the database at once.
    package init(
        name: String,
        lockName: String,
        versions: [String],
        firstVersion: Int = 1,
        recovery: String,
        busySeconds: Double = 5
    ) {
        self.name = name
        self.lockName = lockName
        self.versions = versions
        self.firstVersion = firstVersion
        self.recovery = recovery
        self.busySeconds = busySeconds
    }

    /// The database of accessory servers, which one process has open at a time.
    static let servers = StateFile(
        name: "hap.sqlite",
        lockName: "lock",
        versions: StateSchema.versions,
        recovery: "pair all accessories again",
        // No other hap process writes to it.
        busySeconds: 2
    )

    /// The migrations, which create the tables or update those of older versions.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, sql) in versions.enumerated() {
            migrator.registerMigration("v\(index + firstVersion)") { db in
                try db.execute(sql: sql)
            }
        }
        return migrator
    }
}
