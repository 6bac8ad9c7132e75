internal import CGlibc
internal import Glibc

/// Writes files atomically: a reader sees either the whole new content or the previous content.
package enum AtomicFile {
    /// The final permissions of a written file.
    package enum Permissions: Sendable, Hashable {
        /// `0600` whatever the umask, for content with a secret.
        case owner
        /// `0666` without the bits of the umask.
        case umask
        /// These permission bits, such as those of the replaced file.
        case mode(UInt32)

        /// Creates the permissions that a file has, or `nil` if there is no regular file of this user.
        ///
        /// Another user's permissions may let that user read the new content.
        package init?(ofFileAt path: String, of user: UInt32 = geteuid()) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == user else {
                return nil
            }
            self = .mode(status.st_mode & 0o777)
        }
    }

    /// The system's reason why a file was not written.
    package struct Failure: Error, Sendable, Hashable {
        /// The number in `errno`.
        package let code: Int32
    }

    /// What a written file may replace.
    package enum Replacement {
        /// Whatever is at the path.
        case anything
        /// Nothing: the path must be free.
        case nothing
        /// A file that is as expected; the function receives a path at which it can be read.
        case file(isExpected: (_ path: String) -> Bool)
    }

    /// Writes a temporary file next to the target, and renames it when its content is on disk; the name is on disk when
    /// the function returns.
    ///
    /// A link at `path` is replaced, not followed; a device, a pipe or a folder is not replaced. While the file is
    /// written, no user can read it who cannot read the final file.
    ///
    /// - Parameters:
    ///   - replacement: What may be replaced. The two files are exchanged before the former one is compared, so that a
    ///     change by another program is not lost, however late it is. Only a write into the new file, before the
    ///     files are exchanged back, is lost.
    ///   - observe: Receives the descriptor of the file before and after its content is written.
    ///   - synchronize: Waits until the file or folder of a descriptor is on disk, as `fsync` does.
    /// - Returns: `false` if something else is at `path`, which is unchanged then.
    /// - Throws: ``Failure``; the file at `path` is unchanged then, unless only its name could not be written to disk.
    @discardableResult
    package static func write(
        _ bytes: [UInt8],
        to path: String,
        permissions: Permissions,
        replacing replacement: Replacement = .anything,
        observe: (Int32) -> Void = { _ in },
        synchronize: (Int32) -> Int32 = fsync
    ) throws(Failure) -> Bool {
        guard canReplace(path) else { throw Failure(code: EEXIST) }
        let folder = try FolderDescriptor(of: path)
        let (draft, descriptor) = try createTemporary(path, permissions)
        defer { _ = close(descriptor) }
        observe(descriptor)
        guard writeAll(bytes, to: descriptor) else { throw discard(draft) }
        if case .mode(let bits) = permissions, fchmod(descriptor, mode_t(bits)) != 0 { throw discard(draft) }
        observe(descriptor)
        guard synchronize(descriptor) == 0 else { throw discard(draft) }
        switch replacement {
        case .anything: guard Glibc.rename(draft, path) == 0 else { throw discard(draft) }
        case .nothing: guard try place(draft, at: path) else { return false }
        case .file(let isExpected): guard try exchange(draft, descriptor, with: path, isExpected) else { return false }
        }
        try folder.wait(for: synchronize)
        return true
    }

    /// Renames a file to a path in the same folder that is free; the name is on disk when the function returns.
    ///
    /// - Parameter synchronize: Waits until the folder of a descriptor is on disk, as `fsync` does.
    /// - Returns: Whether the path was free; otherwise nothing is renamed.
    /// - Throws: ``Failure``; nothing is renamed then, unless only the name could not be written to disk.
    package static func rename(
        _ path: String,
        toFree target: String,
        synchronize: (Int32) -> Int32 = fsync
    ) throws(Failure) -> Bool {
        let folder = try FolderDescriptor(of: target)
        guard try move(path, toFree: target) else { return false }
        try folder.wait(for: synchronize)
        return true
    }

    /// Renames a file to a path that is free; returns whether it was free.
    private static func move(_ path: String, toFree target: String) throws(Failure) -> Bool {
        guard !target.utf8.contains(0) else { throw Failure(code: EINVAL) }
        if hap_rename_no_replace(path, target) == 0 { return true }
        guard errno != EEXIST else { return false }
        guard isUnsupported(errno) else { throw Failure(code: errno) }
        var status = stat()
        guard lstat(target, &status) != 0 else { return false }
        guard Glibc.rename(path, target) == 0 else { throw Failure(code: errno) }
        return true
    }

    /// Renames a complete temporary file to a path that must be free.
    private static func place(_ draft: String, at path: String) throws(Failure) -> Bool {
        do throws(Failure) {
            guard try move(draft, toFree: path) else {
                _ = unlink(draft)
                return false
            }
            return true
        } catch {
            _ = unlink(draft)
            throw error
        }
    }

    /// Exchanges a complete temporary file with the one at a path, and restores that one if it is not as expected.
    private static func exchange(
        _ draft: String,
        _ descriptor: Int32,
        with path: String,
        _ isExpected: (_ path: String) -> Bool
    ) throws(Failure) -> Bool {
        guard swap(draft, path) else {
            let code = errno
            if isUnsupported(code), isExpected(path), Glibc.rename(draft, path) == 0 { return true }
            _ = unlink(draft)
            guard code == ENOENT || isUnsupported(code) else { throw Failure(code: code) }
            return false
        }
        if isExpected(draft) {
            _ = unlink(draft)
            return true
        }
        if isFile(descriptor, at: path) {
            swap(draft, path)
            // Another program may have replaced the file just before.
            if !isFile(descriptor, at: draft) { swap(draft, path) }
        } else if (try? move(draft, toFree: path)) == true {
            // The new file was deleted meanwhile.
            return false
        }
        _ = unlink(draft)
        return false
    }

    /// Exchanges two files; returns whether this succeeded, with the reason in `errno`.
    @discardableResult
    private static func swap(_ first: String, _ second: String) -> Bool {
        hap_rename_exchange(first, second) == 0
    }

    /// Returns whether an error says that a file system or the kernel has no such renaming.
    private static func isUnsupported(_ code: Int32) -> Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP].contains(code)
    }

    /// Returns whether a descriptor refers to the file at a path.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    /// Returns whether a path is free, or is that of a regular file or a link.
    package static func canReplace(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return true }
        return [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
    }

    /// Creates an empty file; fails if the file exists.
    ///
    /// - Returns: The descriptor, open for reading and writing, which the caller closes.
    static func create(_ path: String, _ permissions: Permissions) throws(Failure) -> Int32 {
        guard !path.utf8.contains(0) else { throw Failure(code: EINVAL) }
        let mode: mode_t = permissions == .umask ? 0o666 : 0o600
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        // The umask may have removed the owner's own permissions.
        guard permissions == .umask || fchmod(descriptor, mode) == 0 else {
            let failure = discard(path)
            _ = close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Creates a temporary file.
    ///
    /// Its name has a random suffix, so that another user of the folder cannot create it in advance.
    private static func createTemporary(
        _ path: String,
        _ permissions: Permissions
    ) throws(Failure) -> (path: String, descriptor: Int32) {
        var attempt = 1
        while true {
            let draft = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))"
            do throws(Failure) {
                return (draft, try create(draft, permissions))
            } catch {
                guard error.code == EEXIST, attempt < 8 else { throw error }
                attempt += 1
            }
        }
    }

    /// Deletes a temporary file after an error; returns the error in `errno`.
    private static func discard(_ draft: String) -> Failure {
        let failure = Failure(code: errno)
        _ = unlink(draft)
        return failure
    }

    /// Writes all bytes; returns whether this succeeded, with the reason in `errno`.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = Glibc.write(descriptor, base, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

/// A descriptor of the folder that contains a path.
///
/// It is opened before a file of the folder is renamed, so that a folder that cannot be read is an error before
/// anything has changed.
private struct FolderDescriptor: ~Copyable {
    let descriptor: Int32

    init(of path: String) throws(AtomicFile.Failure) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(Substring(path.utf8[...$0])) } ?? "."
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AtomicFile.Failure(code: errno) }
    }

    deinit {
        _ = close(descriptor)
    }

    /// Waits until the names in the folder are on disk.
    ///
    /// Some file systems, such as the shared folders of a virtual machine, cannot do this; they report `EINVAL`.
    func wait(for synchronize: (Int32) -> Int32) throws(AtomicFile.Failure) {
        guard synchronize(descriptor) == 0 || errno == EINVAL else { throw AtomicFile.Failure(code: errno) }
    }
}
