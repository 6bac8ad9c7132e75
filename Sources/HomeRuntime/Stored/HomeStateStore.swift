package import AccessoryModel
internal import GRDB
internal import HomeModel
internal import Storage

/// The homes of a user, who is at home in them, what their engines remember and their journal.
///
/// The folder (`0700`) holds a SQLite database `homes.sqlite` with its `-wal` and `-shm` files (`0600`); it may be the
/// folder of a ``StateStore`` and of a ``ControllerStateStore``. Several processes use it at once: a call waits up to
/// five seconds for the change that another one is making, and whoever would write over a change that they have not seen
/// is refused.
///
/// After an error the store can be used again: a change that failed was not made.
package final class HomeStateStore: Sendable {
    let database: StateDatabase

    /// The path of a database of an earlier build that was set aside; `nil` when there was none.
    package var replacedDatabasePath: String? { database.setAside }

    private init(_ database: StateDatabase) {
        self.database = database
    }

    /// Opens the homes in a folder; makes folder and database when there are none.
    ///
    /// A database that is damaged or of a newer version is left as it is.
    ///
    /// - Throws: `.damaged`; `.tooNew`; `.unavailable` when the folder or the files in it cannot be made or used;
    ///   `.inUse` when another process keeps it locked for longer than five seconds.
    package static func open(folder: String) async throws(StoreError) -> HomeStateStore {
        HomeStateStore(try await StateDatabase.openShared(HomeSchema.file, in: folder))
    }

    /// Whether a folder has a database, or what is left of one: whether ``open(folder:)`` would make none.
    ///
    /// - Throws: `.unavailable` when the folder cannot be looked at, or is none.
    package static func exists(in folder: String) throws(StoreError) -> Bool {
        try StateDatabase.exists(HomeSchema.file, in: folder)
    }

    /// A number that is another one as soon as another process has changed anything; what this store changes does not count.
    ///
    /// For who asks often: the homes are not read.
    package func dataVersion() async throws(StoreError) -> Int64 {
        try await database.read { db in try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
    }

    /// Closes the database after the changes that were begun; a second call does nothing.
    package func close() async throws(StoreError) {
        try await database.close()
    }
}
