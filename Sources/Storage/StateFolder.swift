internal import AccessoryModel
internal import Glibc

/// The folder that holds the state, and the names of the files of one database in it.
struct StateFolder: Sendable {
    /// As the user gave it.
    let path: String
    var file = StateFile.servers

    var lockPath: String { "\(path)/\(file.lockName)" }
    var databasePath: String { "\(path)/\(file.name)" }
    var logPath: String { databasePath + "-wal" }
    var indexPath: String { databasePath + "-shm" }

    /// Where a database is made before it gets its name, so that a file with the name is always a whole one.
    var draftPath: String { databasePath + ".new" }

    /// Creates the folder and its parents for the user alone.
    ///
    /// A folder that is there keeps its permissions: it may be one that the user shares on purpose.
    func create() throws(StoreError) {
        guard !path.isEmpty else {
            throw StoreError(.unavailable, reason: "The state folder has no name.", remedy: "Name a folder.")
        }
        for (position, character) in path.utf8.enumerated().dropFirst() where character == UInt8(ascii: "/") {
            try create(String(decoding: path.utf8.prefix(position), as: UTF8.self))
        }
        try create(path)
    }

    /// Whether the database is there.
    func hasDatabase() throws(StoreError) -> Bool {
        if Self.status(of: databasePath) != nil { return true }
        switch errno {
        case ENOENT: return false
        case ENOTDIR: throw noFolder(path)
        case let failure: throw .unavailable("look for", databasePath, failure)
        }
    }

    /// Whether there is something that is not to be made anew: the database, or a log that has lost it.
    func hasContents() throws(StoreError) -> Bool {
        if try hasDatabase() { return true }
        return (Self.status(of: logPath)?.st_size ?? 0) > 0
    }

    /// Takes the database from everyone but its owner, as far as the owner may.
    func restrictFiles() {
        for path in [databasePath, logPath, indexPath] {
            if let status = Self.status(of: path), status.st_mode & 0o077 != 0 {
                _ = chmod(path, 0o600)
            }
        }
    }

    /// Deletes what a start left behind that ended before its database had a name.
    ///
    /// It never held anything.
    func removeDraft() {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            _ = unlink(draftPath + suffix)
        }
    }

    /// Creates the empty file in which a database is made.
    func createDraft() throws(StoreError) {
        let descriptor = Glibc.open(draftPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unavailable("create", draftPath, errno) }
        defer { _ = Glibc.close(descriptor) }
        // The process's umask may have taken the owner's own permissions.
        guard fchmod(descriptor, 0o600) == 0 else { throw .unavailable("create", draftPath, errno) }
    }

    /// Gives the finished database its name; returns when both are on disk.
    func publishDraft() throws(StoreError) {
        try synchronize(draftPath)
        guard rename(draftPath, databasePath) == 0 else { throw .unavailable("create", databasePath, errno) }
        try synchronize(path)
    }

    /// The state of a file, `nil` when there is none.
    static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private func create(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 {
            guard chmod(path, 0o700) == 0 else { throw .unavailable("create the folder", path, errno) }
            return
        }
        // Other failures can hide that it is there: a read-only disk, an automounter.
        let failure = errno
        guard let status = Self.status(of: path) else { throw .unavailable("create the folder", path, failure) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw noFolder(path) }
    }

    private func noFolder(_ path: String) -> StoreError {
        StoreError(
            .unavailable,
            reason: "The state folder \(self.path) cannot be used: \(path) is not a folder.",
            remedy: "Name another folder."
        )
    }

    private func synchronize(_ path: String) throws(StoreError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unavailable("open", path, errno) }
        defer { _ = Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unavailable("write", path, errno) }
    }
}
