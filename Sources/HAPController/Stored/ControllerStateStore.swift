public import AccessoryModel
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
