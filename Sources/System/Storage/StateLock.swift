package import AccessoryModel
internal import Glibc
internal import Synchronization

/// The advisory lock on a state folder, held until it is released or the process ends for any reason.
///
/// The lock file contains the process id of the holder, for users and for the error message of a second process.
package final class StateLock: Sendable {
    /// The locked file; `nil` once released.
    private let descriptor: Mutex<Int32?>

    /// Acquires the lock.
    ///
    /// - Parameter attempts: The number of attempts, 2 ms apart. ``holder(of:)`` acquires the lock for an instant to
    ///   test it, so more than one attempt is needed.
    convenience init(_ folder: StateFolder, attempts: Int = 3) async throws(StoreError) {
        try await self.init(path: folder.lockPath, attempts: attempts) { .inUse(folder, by: $0) }
    }

    /// Acquires the lock of a file.
    ///
    /// - Parameter refusal: Returns the error to throw if another process holds the lock.
    package init(path: String, attempts: Int = 3, refusal: (StateHolder) -> StoreError) async throws(StoreError) {
        let descriptor = try Self.open(path, O_RDWR | O_CREAT)
        var attempt = 1
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            if failure == EWOULDBLOCK, attempt < attempts {
                attempt += 1
                try? await Task.sleep(for: .milliseconds(2))
                continue
            }
            let holder = StateHolder(processID: Self.processID(in: descriptor))
            _ = Glibc.close(descriptor)
            guard failure == EWOULDBLOCK else { throw .unavailable("lock", path, failure) }
            throw refusal(holder)
        }
        guard Self.write("\(getpid())\n", to: descriptor) else {
            let failure = errno
            _ = Glibc.close(descriptor)
            throw .unavailable("write", path, failure)
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Releases the lock; a second call has no effect.
    package func release() {
        descriptor.withLock { descriptor in
            guard let held = descriptor else { return }
            // The file is emptied first, so that it never names a process that has released the lock.
            _ = ftruncate(held, 0)
            Self.unlock(held)
            descriptor = nil
        }
    }

    /// Returns the process that holds the lock on a folder, or `nil` if there is none.
    static func holder(of folder: StateFolder) throws(StoreError) -> StateHolder? {
        try holder(path: folder.lockPath)
    }

    /// Returns the process that holds the lock of a file, or `nil` if there is none.
    package static func holder(path: String) throws(StoreError) -> StateHolder? {
        guard StateFolder.fileStatus(of: path) != nil || errno != ENOENT else { return nil }
        let descriptor = try open(path, O_RDONLY)
        defer { unlock(descriptor) }
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            guard failure == EWOULDBLOCK else { throw .unavailable("lock", path, failure) }
            return StateHolder(processID: processID(in: descriptor))
        }
        return nil
    }

    /// Opens a lock file, and refuses a link in its place without touching the target of the link.
    private static func open(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let failure = errno
            try StateFolder.checkFile(path)
            throw .unavailable("open", path, failure)
        }
        do throws(StoreError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .unavailable("look at", path, errno) }
            try StateFolder.check(status, of: path)
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Releases the lock of a file if this process holds it, and closes the file.
    ///
    /// Closing alone is not enough: a child process that this process is starting has a copy of the descriptor, and
    /// with it the lock, until it runs another program.
    private static func unlock(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        _ = Glibc.close(descriptor)
    }

    private static func processID(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        // The owner must have access even with a restrictive umask; otherwise the next start would fail.
        return fchmod(descriptor, 0o600) == 0
            && ftruncate(descriptor, 0) == 0
            && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }
}
