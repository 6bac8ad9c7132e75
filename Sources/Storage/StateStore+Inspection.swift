package import AccessoryModel
internal import GRDB
internal import Glibc

extension StateStore {
    /// Looks at a state folder beside whoever has it open; changes nothing, also when no one has.
    ///
    /// - Throws: `.unavailable` when the folder or the lock cannot be looked at.
    package static func inspect(folder path: String) throws(StoreError) -> StateInspection {
        let folder = StateFolder(path: path)
        var inspection = try look(at: folder)
        if case .unusable = inspection.contents, inspection.holder == nil {
            // A server that began meanwhile wrote what was being read: then the second look is beside it.
            let second = try look(at: folder)
            if second.holder != nil {
                inspection = second
            }
        }
        return inspection
    }

    private static func look(at folder: StateFolder) throws(StoreError) -> StateInspection {
        let isThere = try folder.hasDatabase()
        let holder = try StateLock.holder(of: folder)
        let database = StateFolder.status(of: folder.databasePath)
        let log = StateFolder.status(of: folder.logPath)
        let files = [folder.databasePath, folder.logPath, folder.indexPath, folder.lockPath]
        let isWritable =
            access(folder.path, W_OK | X_OK) == 0
            && files.allSatisfy { access($0, W_OK) == 0 || errno == ENOENT }
        return StateInspection(
            holder: holder,
            exists: StateFolder.status(of: folder.path) != nil,
            isWritable: isWritable,
            isExposed: (database?.st_mode ?? 0) & 0o044 != 0
                && (StateFolder.status(of: folder.path)?.st_mode ?? 0) & 0o011 != 0,
            size: Int(database?.st_size ?? 0) + Int(log?.st_size ?? 0),
            freeBytes: freeBytes(at: folder.path),
            contents: isThere ? contents(of: folder, isHeld: holder != nil, logSize: log?.st_size ?? 0) : .none
        )
    }

    private static func contents(
        of folder: StateFolder,
        isHeld: Bool,
        logSize: Int
    ) -> StateInspection.Contents {
        guard let status = StateFolder.status(of: folder.databasePath), status.st_size > 0 else {
            return .unusable(.damaged(folder, "it is empty"))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unusable(.damaged(folder, "it is not a file")) }
        guard access(folder.databasePath, R_OK) == 0 else {
            return .unusable(.unavailable("read", folder.databasePath, errno))
        }
        do {
            let found = try StateDatabase.readable(folder, as: reading(folder, isHeld: isHeld, logSize: logSize))
            return .whole(servers: found.servers, isCurrent: found.isCurrent)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
        {
            return .unread
        } catch {
            return .unusable(StoreError(error, in: folder))
        }
    }

    /// The name under which SQLite opens the database without making or changing a file beside it.
    private static func reading(_ folder: StateFolder, isHeld: Bool, logSize: Int) -> String {
        // Beside a server the files are there, and SQLite's own locks keep the two apart.
        if isHeld { return folder.databasePath }
        let name = folder.databasePath.utf8.map { byte in
            [UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(byte)
                ? "%" + String(byte, radix: 16) : String(decoding: [byte], as: UTF8.self)
        }
        // A log that a killed server left is read with an index in memory; without one the file stands for itself.
        return "file:\(name.joined())?\(logSize > 0 ? "readonly_shm=1" : "immutable=1")"
    }

    /// The space on the disk of the folder, or of the nearest folder above it that is there.
    private static func freeBytes(at path: String) -> Int? {
        var path = path
        var status = statvfs()
        while statvfs(path, &status) != 0 {
            guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        return Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
            .partialValue
    }
}
