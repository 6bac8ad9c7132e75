internal import AccessoryModel
internal import Glibc

extension StateFolder {
    /// Refuses a folder in which another user could replace the files.
    ///
    /// The folder itself is checked, and not those above it: one in `/tmp` can be used. A link to the folder is followed:
    /// systemd makes one for a service with a dynamic user.
    func checkAccess() throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unavailable("look at", path, errno) }
        let access = FolderAccess(owner: status.st_uid, group: status.st_gid, mode: status.st_mode)
        guard let writer = access.untrustedWriter(for: geteuid()) else { return }
        let (fault, remedy) =
            switch writer {
            case .everyone: ("can be written by every user", "Run `chmod go-w \(path.quotedForShell)`")
            case .group:
                (
                    "can be written by the group \(status.st_gid), which is not the private group of its owner",
                    "Run `chmod go-w \(path.quotedForShell)`"
                )
            case .owner: ("belongs to another user (\(status.st_uid))", "Give it to this user with `chown`")
            }
        throw StoreError(
            .unavailable,
            reason: "The state folder \(path) \(fault), so that others could replace the keys in it.",
            remedy: "\(remedy), or name another state folder."
        )
    }

    /// Refuses links in the place of the database and of the files that SQLite makes beside it.
    ///
    /// SQLite follows a link to the database, and GRDB does not pass on the flag that forbids it.
    func checkFiles() throws(StoreError) {
        for path in [databasePath, logPath, indexPath, journalPath] {
            try Self.checkFile(path)
        }
    }

    /// Refuses what is not a file of this folder alone; a file that does not exist is accepted.
    static func checkFile(_ path: String) throws(StoreError) {
        guard let status = fileStatus(of: path) else { return }
        try check(status, of: path)
    }

    /// Refuses what is not a file of this folder alone.
    static func check(_ status: stat, of path: String) throws(StoreError) {
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFREG || status.st_nlink > 1 else { return }
        let (fault, remedy) =
            switch kind {
            case S_IFREG:
                ("has other names (hard links)", "Remove the other names, or put a copy in the place of this one.")
            case S_IFLNK: ("is a link", "Remove it, or move the file that it leads to into its place.")
            default: ("is not a file", "Move it away, or name another state folder.")
            }
        throw StoreError(.unavailable, reason: "\(path) \(fault).", remedy: remedy)
    }

    /// Takes the database from everyone but its owner, as far as the owner may.
    ///
    /// The files are not opened for it: closing a descriptor would end the locks that SQLite holds on them in this process.
    func restrictFiles() {
        for path in [databasePath, logPath, indexPath] {
            if let status = Self.fileStatus(of: path), status.st_mode & 0o077 != 0 {
                _ = fchmodat(AT_FDCWD, path, 0o600, AT_SYMLINK_NOFOLLOW)
            }
        }
    }
}
