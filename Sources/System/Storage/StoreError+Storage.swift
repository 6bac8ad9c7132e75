internal import AccessoryModel
internal import GRDB
internal import Glibc

extension StoreError {
    /// Returns the error for a file operation that the system refused.
    static func unavailable(_ action: String, _ path: String, _ code: Int32) -> StoreError {
        let remedy =
            switch code {
            case ENOSPC, EDQUOT: "Free some space on that disk."
            case EROFS: "Name a state folder on a disk that can be written."
            case EACCES, EPERM: "Give the user permission to write there, or name another state folder."
            default: "Name another state folder."
            }
        return StoreError(
            .unavailable,
            reason: "Cannot \(action) \(path): \(String(cString: strerror(code))).",
            remedy: remedy
        )
    }

    /// Returns the error for a folder that another process uses.
    static func inUse(_ folder: StateFolder, by holder: StateHolder) -> StoreError {
        StoreError(
            .inUse,
            reason: "The state folder \(folder.path) is in use by \(holder).",
            remedy: "End that process, or name another state folder."
        )
    }

    /// Returns the error for a damaged database.
    ///
    /// - Parameter detail: The damage, without content of the database.
    static func damaged(_ folder: StateFolder, _ detail: String) -> StoreError {
        StoreError(
            .damaged,
            reason: "The state database \(folder.databasePath) is damaged: \(detail). It was not changed.",
            remedy: "Restore it from a copy, or move it and its -wal file away and \(folder.file.recovery)."
        )
    }

    /// Returns the error for a database that a newer version wrote.
    static func tooNew(_ folder: StateFolder) -> StoreError {
        StoreError(
            .tooNew,
            reason: "The state database \(folder.databasePath) was written by a newer version of hap.",
            remedy: "Use that version, or name another state folder."
        )
    }

    /// Creates an error from any error of GRDB or SQLite.
    ///
    /// Only SQLite's code is used. Message, statement and arguments of a `DatabaseError` can contain the long-term key
    /// and the verifier, so they are dropped here.
    init(_ error: any Error, in folder: StateFolder) {
        switch error {
        case let error as StoreError: self = error
        case let error as DamagedRow: self = .damaged(folder, "a row of \(error.table) cannot be read")
        case is NewerRow: self = .tooNew(folder)
        case let error as DatabaseError: self.init(error.resultCode, in: folder)
        case is RowDecodingError: self = .damaged(folder, "a row cannot be read")
        default:
            self = StoreError(
                .unavailable,
                reason: "The state database \(folder.databasePath) failed.",
                remedy: "Start again."
            )
        }
    }

    private init(_ code: ResultCode, in folder: StateFolder) {
        let path = folder.databasePath
        switch code {
        case .SQLITE_CORRUPT: self = .damaged(folder, "its pages are inconsistent")
        case .SQLITE_NOTADB: self = .damaged(folder, "it is not a database")
        case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
            self = .damaged(folder, "its tables are not those of hap (\(code))")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = StoreError(
                .inUse,
                reason: "The state database \(path) is locked by another program.",
                remedy: "End that program."
            )
        case .SQLITE_FULL:
            self = StoreError(
                .unavailable,
                reason: "The state database \(path) cannot grow: the disk is full.",
                remedy: "Free some space on that disk."
            )
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self = StoreError(
                .unavailable,
                reason: "The state database \(path) cannot be opened or written (\(code)).",
                remedy: "Give the user permission to write the folder and the files in it."
            )
        case .SQLITE_IOERR:
            self = StoreError(
                .unavailable,
                reason: "The disk failed while the state database \(path) was read or written (\(code)).",
                remedy: "Check the disk and its free space."
            )
        case .SQLITE_MISUSE: self = .closed(folder)
        default:
            self = StoreError(
                .unavailable,
                reason: "The state database \(path) failed (\(code)).",
                remedy: "Start again."
            )
        }
    }

    /// Returns the error for a store that was used after it was closed.
    static func closed(_ folder: StateFolder) -> StoreError {
        StoreError(
            .unavailable,
            reason: "The state database \(folder.databasePath) is closed.",
            remedy: "Open it again."
        )
    }
}
