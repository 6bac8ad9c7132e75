internal import Glibc

/// A folder of pictures that is limited in size.
///
/// The times of the files tell when they were used. Errors are not reported: a picture that cannot be stored is loaded
/// again.
struct ImageFolder: Sendable {
    let path: String
    let maximumBytes: Int
    let maximumFiles: Int
    /// In bytes.
    let maximumFileSize: Int

    private struct Entry {
        let path: String
        let size: Int
        let used: Duration
    }

    private static let draftSuffix = ".new"

    /// Reads a file and notes that it is used; deletes it if it is damaged.
    func read(_ name: String, at now: Duration) -> StoredImage? {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        guard let bytes = readAll(descriptor), let stored = StoredImage(file: bytes) else {
            remove(name)
            return nil
        }
        setTime(of: descriptor, to: now)
        return stored
    }

    /// Stores a file, and deletes those that were not used for the longest time if there are too many.
    func write(_ stored: StoredImage, to name: String, at now: Duration) {
        createFolder()
        let draft = "\(path)/\(name).\(String(UInt64.random(in: .min ... .max), radix: 36))\(Self.draftSuffix)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let isWritten = writeAll(stored.file, to: descriptor)
        setTime(of: descriptor, to: now)
        // Not synchronized: after a loss of power, the digest shows whether the file is complete.
        if close(descriptor) != 0 || !isWritten || rename(draft, "\(path)/\(name)") != 0 { _ = unlink(draft) }
        removeOldest()
    }

    func remove(_ name: String) { _ = unlink("\(path)/\(name)") }

    /// Creates the folder and those around it, for this user only.
    private func createFolder() {
        for (position, byte) in path.utf8.enumerated().dropFirst() where byte == UInt8(ascii: "/") {
            _ = mkdir(String(decoding: path.utf8.prefix(position), as: UTF8.self), 0o700)
        }
        _ = mkdir(path, 0o700)
    }

    /// Deletes the files that were not used for the longest time, and those of a process that has ended too early.
    private func removeOldest() {
        let entries = entries().sorted { ($0.used, $0.path) > ($1.used, $1.path) }
        var bytes = 0
        for (index, entry) in entries.enumerated() {
            bytes += entry.size
            if bytes > maximumBytes || index >= maximumFiles { _ = unlink(entry.path) }
        }
    }

    /// Returns the files of the cache; files with other names are not touched.
    private func entries() -> [Entry] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var entries: [Entry] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name, name.utf8.prefix(64).count(where: Self.isDigit) == 64 else { continue }
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let used = Duration.seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
            if name.utf8.count == 64 {
                entries.append(Entry(path: "\(path)/\(name)", size: Int(status.st_size), used: used))
            } else if name.hasSuffix(Self.draftSuffix) {
                remove(name)
            }
        }
        return entries
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }

    private func setTime(of descriptor: Int32, to now: Duration) {
        let (seconds, attoseconds) = now.components
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        _ = futimens(descriptor, [time, time])
    }

    /// Reads a regular file; returns `nil` if it is too large or cannot be read.
    private func readAll(_ descriptor: Int32) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumFileSize
        else { return nil }
        let size = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let added = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
                if added < 0, errno == EINTR { continue }
                guard added > 0 else { return }
                count += added
            }
        }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
