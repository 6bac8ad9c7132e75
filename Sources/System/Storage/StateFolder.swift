internal import AccessoryModel
internal import Glibc

/// The folder that holds the state, and the names of the files of one database in it.
struct StateFolder: Sendable {
    /// The path, as the user gave it.
    let path: String
    var file = StateFile.servers

    var lockPath: String { "\(path)/\(file.lockName)" }
    var databasePath: String { "\(path)/\(file.name)" }
    var logPath: String { databasePath + "-wal" }
    var indexPath: String { databasePath + "-shm" }
    var journalPath: String { databasePath + "-journal" }

    /// Returns a path that SQLite cannot mistake for a URI, as it would if it began with `file:`.
    static func sqlitePath(_ path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    }

    /// The temporary path of a new database, so that a file with the final name is always complete.
    var draftPath: String { databasePath + ".new" }

    /// Creates the folder and its parents, accessible to the user only.
    ///
    /// An existing folder keeps its permissions, since the user may want others to read it. A folder in which other
    /// users can write is refused.
    func create() throws(StoreError) {
        guard !path.isEmpty else {
            throw StoreError(.unavailable, reason: "The name of the state folder is empty.", remedy: "Name a folder.")
        }
        guard !path.utf8.contains(0) else {
            throw StoreError(.unavailable, reason: "The state folder's name has a zero byte.", remedy: "Remove it.")
        }
        for (position, character) in path.utf8.enumerated().dropFirst() where character == UInt8(ascii: "/") {
            try create(String(decoding: path.utf8.prefix(position), as: UTF8.self))
        }
        try create(path)
        try checkAccess()
    }

    /// Returns whether the database exists.
    func hasDatabase() throws(StoreError) -> Bool {
        if Self.fileStatus(of: databasePath) != nil { return true }
        switch errno {
        case ENOENT: return false
        case ENOTDIR: throw noFolder(path)
        case let failure: throw .unavailable("look for", databasePath, failure)
        }
    }

    /// Returns whether the folder has a database that must not be created again, or a log without its database.
    func hasContents() throws(StoreError) -> Bool {
        if try hasDatabase() { return true }
        return (Self.fileStatus(of: logPath)?.st_size ?? 0) > 0
    }

    /// Deletes the temporary database of a start that did not complete.
    ///
    /// It never contained any saved state.
    func removeDraft() {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            _ = unlink(draftPath + suffix)
        }
    }

    /// Creates the empty file for a new database.
    func createDraft() throws(StoreError) {
        do throws(AtomicFile.Failure) {
            _ = Glibc.close(try AtomicFile.create(draftPath, .owner))
        } catch {
            throw .unavailable("create", draftPath, error.code)
        }
    }

    /// Renames the finished database to its final name; returns when the database and its name are on disk.
    func publishDraft() throws(StoreError) {
        try synchronize(draftPath)
        guard rename(draftPath, databasePath) == 0 else { throw .unavailable("create", databasePath, errno) }
        try synchronize(path)
    }

    /// Renames a database and its log to a free name; returns the new path.
    func setAside() throws(StoreError) -> String {
        var path = databasePath + ".old"
        var number = 1
        while Self.fileStatus(of: path) != nil {
            number += 1
            path = "\(databasePath).old-\(number)"
        }
        // The log is renamed first, because a database without its log could look complete.
        for suffix in ["-wal", "-shm", "-journal", ""] where Self.fileStatus(of: databasePath + suffix) != nil {
            guard rename(databasePath + suffix, path + suffix) == 0 else {
                throw .unavailable("set aside", databasePath + suffix, errno)
            }
        }
        try synchronize(self.path)
        return path
    }

    /// Returns the status of a file or of a link in its place, `nil` if there is none.
    static func fileStatus(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    private func create(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 {
            // The umask may have removed the owner's own permissions.
            let mode = Self.fileStatus(of: path)?.st_mode ?? 0
            guard mode & 0o777 == 0o700 || fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw .unavailable("create the folder", path, errno)
            }
            return
        }
        // The folder may exist although the error is another one, as with a read-only disk or an automounter.
        let failure = errno
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unavailable("create the folder", path, failure) }
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
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unavailable("open", path, errno) }
        defer { _ = Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unavailable("write", path, errno) }
    }
}

extension StateFolder {
    /// Refuses a folder in which another user could replace files.
    ///
    /// Only the folder itself is checked, not its parents, so that a folder in `/tmp` can be used. A link to the folder
    /// is followed: systemd creates one for a service with a dynamic user.
    func checkAccess() throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unavailable("look at", path, errno) }
        let access = FolderAccess(owner: status.st_uid, group: status.st_gid, mode: status.st_mode)
        guard let writer = access.untrustedWriter(for: geteuid()) else { return }
        let (fault, remedy) =
            switch writer {
            case .everyone: ("can be written by every user", "Run `chmod go-w \(path.shellQuoted)`")
            case .group:
                (
                    "can be written by the group \(status.st_gid), which is not the private group of its owner",
                    "Run `chmod go-w \(path.shellQuoted)`"
                )
            case .owner: ("belongs to another user (\(status.st_uid))", "Give it to this user with `chown`")
            }
        throw StoreError(
            .unavailable,
            reason: "The state folder \(path) \(fault), so that other users could replace the keys in it.",
            remedy: "\(remedy), or name another state folder."
        )
    }

    /// Refuses links in place of the database and of the files that SQLite creates next to it.
    ///
    /// SQLite follows a link to the database, and GRDB does not pass on the flag that forbids it.
    func checkFiles() throws(StoreError) {
        for path in [databasePath, logPath, indexPath, journalPath] {
            try Self.checkFile(path)
        }
    }

    /// Refuses a path that is not a regular file of this folder; a missing file is accepted.
    static func checkFile(_ path: String) throws(StoreError) {
        guard let status = fileStatus(of: path) else { return }
        try check(status, of: path)
    }

    /// Refuses a status that is not that of a regular file of this folder.
    static func check(_ status: stat, of path: String) throws(StoreError) {
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFREG || status.st_nlink > 1 else { return }
        let (fault, remedy) =
            switch kind {
            case S_IFREG:
                ("has other names (hard links)", "Remove the other names, or replace the file by a copy.")
            case S_IFLNK: ("is a link", "Remove it, or replace it by its target.")
            default: ("is not a file", "Move it away, or name another state folder.")
            }
        throw StoreError(.unavailable, reason: "\(path) \(fault).", remedy: remedy)
    }

    /// Restricts the permissions of the database to its owner, as far as possible.
    ///
    /// The files are not opened for it: closing a descriptor would release the locks that SQLite holds on them in this
    /// process.
    func restrictFiles() {
        for path in [databasePath, logPath, indexPath] {
            if let status = Self.fileStatus(of: path), status.st_mode & 0o077 != 0 {
                _ = fchmodat(AT_FDCWD, path, 0o600, AT_SYMLINK_NOFOLLOW)
            }
        }
    }
}
