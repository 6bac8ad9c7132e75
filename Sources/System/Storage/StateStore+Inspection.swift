package import AccessoryModel
internal import GRDB
internal import Glibc
internal import HAPCore

extension StateStore {
    /// Inspects a state folder without changing it, whether or not a process has it open.
    ///
    /// - Throws: `.unavailable` if the folder or the lock cannot be read.
    package static func inspect(folder path: String) throws(StoreError) -> StateInspection {
        let folder = StateFolder(path: path)
        var inspection = try inspectOnce(folder)
        if case .unusable = inspection.contents, inspection.holder == nil {
            // A server that has started in the meantime may have written what was being read. The second inspection
            // takes its lock into account.
            let second = try inspectOnce(folder)
            if second.holder != nil {
                inspection = second
            }
        }
        return inspection
    }

    private static func inspectOnce(_ folder: StateFolder) throws(StoreError) -> StateInspection {
        let isThere = try folder.hasDatabase()
        let holder = try StateLock.holder(of: folder)
        let database = StateFolder.fileStatus(of: folder.databasePath)
        let log = StateFolder.fileStatus(of: folder.logPath)
        let files = [folder.databasePath, folder.logPath, folder.indexPath, folder.lockPath]
        var folderStatus = stat()
        let isFolderThere = stat(folder.path, &folderStatus) == 0
        let isWritable =
            access(folder.path, W_OK | X_OK) == 0
            && files.allSatisfy { access($0, W_OK) == 0 || errno == ENOENT }
        return StateInspection(
            holder: holder,
            exists: isFolderThere,
            isWritable: isWritable,
            isExposed: (database?.st_mode ?? 0) & 0o044 != 0
                && folderStatus.st_mode & 0o011 != 0,
            size: Int(database?.st_size ?? 0) + Int(log?.st_size ?? 0),
            freeBytes: freeBytes(at: folder.path),
            contents: isFolderThere
                ? contents(of: folder, exists: isThere, isHeld: holder != nil, logSize: log?.st_size ?? 0) : .none
        )
    }

    private static func contents(
        of folder: StateFolder,
        exists: Bool,
        isHeld: Bool,
        logSize: Int
    ) -> StateInspection.Contents {
        do throws(StoreError) {
            try folder.checkAccess()
            try folder.checkFiles()
        } catch {
            return .unusable(error)
        }
        guard exists else { return .none }
        guard let status = StateFolder.fileStatus(of: folder.databasePath), status.st_size > 0 else {
            return .unusable(.damaged(folder, "it is empty"))
        }
        guard access(folder.databasePath, R_OK) == 0 else {
            return .unusable(.unavailable("read", folder.databasePath, errno))
        }
        do {
            let found = try StateDatabase.readServers(
                folder,
                as: connectionName(folder, isHeld: isHeld, logSize: logSize)
            )
            return .intact(servers: found.servers, isCurrent: found.isCurrent)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
        {
            return .unreadable
        } catch {
            return .unusable(StoreError(error, in: folder))
        }
    }

    /// Returns a name under which SQLite opens the database without creating or changing a file next to it.
    private static func connectionName(_ folder: StateFolder, isHeld: Bool, logSize: Int) -> String {
        let path = StateFolder.sqlitePath(folder.databasePath)
        // While a server runs, the files exist, and SQLite's locks separate the two processes.
        if isHeld { return path }
        // With an empty host, the beginning of a path such as `//tmp` is not read as a host.
        let scheme = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:"
        // The log that a killed server left is read with an index in memory. Without a log, the file is complete.
        return "\(scheme)\(path.percentEncoded(keeping: "/.-_"))?\(logSize > 0 ? "readonly_shm=1" : "immutable=1")"
    }

    /// Returns the free bytes on the disk of the folder, or of its nearest existing parent.
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
