package import AccessoryModel
package import GRDB
internal import Synchronization

/// A connection to the database of a state folder, with the lock that makes it exclusive where required.
///
/// One connection serves both durabilities: the level is set before a transaction that needs another one. A second
/// connection would have its own page cache, and writers would wait for each other.
package final class StateDatabase: Sendable {
    let folder: StateFolder
    private let queue: DatabaseQueue
    private let lock: StateLock?
    /// The durability that the connection has now.
    private let current = Mutex(Durability.synced)
    /// The new path of a database of an earlier build that was renamed; `nil` if there was none.
    package let setAside: String?

    init(_ queue: DatabaseQueue, in folder: StateFolder, holding lock: StateLock?, setAside: String? = nil) {
        self.queue = queue
        self.folder = folder
        self.lock = lock
        self.setAside = setAside
    }

    /// Runs a read on the connection, which performs one read or write at a time.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform(body)
    }

    /// Performs a change in a transaction: completely or not at all.
    package nonisolated(nonsending) func write<Value: Sendable>(
        _ durability: Durability,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { [self] db in
            try current.withLock { current in
                guard current != durability else { return }
                // Not a cached statement: SQLite applies this pragma when it is compiled, not when it is executed.
                try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                current = durability
            }
            var value: Value?
            try db.inTransaction(.immediate) {
                value = try body(db)
                return .commit
            }
            guard let value else { preconditionFailure("a transaction that is committed has run") }
            return value
        }
    }

    /// Moves the log into the database and empties it, so that deleted content is in neither.
    package func truncateLog() async throws(StoreError) {
        try await perform { db in
            do {
                _ = try db.checkpoint(.truncate)
            } catch DatabaseError.SQLITE_BUSY {
                // Another process is reading. Nothing is lost: the log is moved at a later time.
            }
        }
    }

    /// Empties the log, closes the file, and releases the lock even after an error; a second call does nothing.
    package func close() async throws(StoreError) {
        defer { lock?.release() }
        let isOpen = try await perform { db in db.sqliteConnection != nil }
        guard isOpen else { return }
        var failure: StoreError?
        do {
            try await truncateLog()
        } catch {
            failure = error
        }
        do {
            try queue.close()
        } catch {
            failure = failure ?? StoreError(error, in: folder)
        }
        if let failure { throw failure }
    }

    /// Runs `body` on the queue of the connection, even in a cancelled task.
    ///
    /// A task that is shutting down must be able to save its data, but GRDB's own `async` methods would throw in it.
    /// The caller is suspended without using another thread.
    private nonisolated(nonsending) func perform<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let folder = folder
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { db in
                continuation.resume(returning: Result { try body(db) }.mapError { StoreError($0, in: folder) })
            }
        }
        return try result.get()
    }
}
