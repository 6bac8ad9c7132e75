package import AccessoryModel
internal import GRDB
internal import HomeModel
internal import Storage

/// A store of a user's homes, the presence of their users, the states of their engines, and their journals.
///
/// The folder (`0700`) holds a SQLite database `homes.sqlite` with its `-wal` and `-shm` files (`0600`). It may also be
/// the folder of a ``StateStore`` and of a ``ControllerStateStore``. Several processes can use it at the same time: a
/// call waits up to five seconds for a change by another process. A write that would overwrite a change that the
/// process has not read is refused.
///
/// After an error the store can still be used. A change that failed was not made.
package final class HomeStateStore: Sendable {
    let database: StateDatabase

    /// The path to which the database of an earlier build was moved, or `nil` if there was none.
    package var replacedDatabasePath: String? { database.setAside }

    private init(_ database: StateDatabase) {
        self.database = database
    }

    /// Opens the homes in a folder, and creates the folder and the database if necessary.
    ///
    /// A database that is damaged or of a newer version is left unchanged.
    ///
    /// - Throws: `.damaged`; `.tooNew`; `.unavailable` when the folder or its files cannot be created or used; `.inUse`
    ///   when another process keeps the database locked for longer than five seconds.
    package static func open(folder: String) async throws(StoreError) -> HomeStateStore {
        HomeStateStore(try await StateDatabase.openShared(HomeSchema.file, in: folder))
    }

    /// Opens homes in memory, which all stores of this process with the same name share.
    ///
    /// They exist until the last of these stores is closed.
    ///
    /// - Parameter name: A name such as a UUID.
    package static func openInMemory(named name: String) throws(StoreError) -> HomeStateStore {
        HomeStateStore(try StateDatabase.openInMemory(HomeSchema.file, named: name))
    }

    /// Returns whether a folder contains a database or parts of one, so that ``open(folder:)`` would not create a new
    /// one.
    ///
    /// - Throws: `.unavailable` when the path cannot be read or is not a folder.
    package static func exists(in folder: String) throws(StoreError) -> Bool {
        try StateDatabase.exists(HomeSchema.file, in: folder)
    }

    /// Returns a number that changes when another process has changed the database.
    ///
    /// Changes by this store do not count.
    ///
    /// The homes are not read, so the call is cheap enough to repeat often.
    package func dataVersion() async throws(StoreError) -> Int64 {
        try await database.read { db in try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
    }

    /// Closes the database after the pending changes.
    ///
    /// A second call does nothing.
    package func close() async throws(StoreError) {
        try await database.close()
    }
}
