internal import AccessoryFiles
package import Documents
internal import Glibc

/// The content of a file, with the stamp from before it was read.
package struct RegularFile: Sendable {
    package let bytes: [UInt8]
    package let stamp: FileStamp

    /// Reads a file, at most one byte more than a limit, which is enough to detect that it is too large.
    ///
    /// Links are followed. Anything but a regular file, such as a pipe, is not read.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - folder: The folder that must contain the file, directly or in a subfolder, after all links are followed;
    ///     `nil` for any.
    ///   - limit: The maximum number of bytes.
    /// - Throws: ``DocumentError`` with one diagnostic if the file cannot be read or is too large.
    package init(
        _ path: String,
        in folder: String? = nil,
        upTo limit: Int = AccessoryFile.maximumSize
    ) throws(DocumentError) {
        guard !path.utf8.contains(0) else { throw Self.error(path, "the name has a zero byte; remove it") }
        let descriptor = if let folder { try Self.open(path, in: folder) } else { try Self.open(path) }
        defer { close(descriptor) }
        stamp = FileStamp(try Self.status(of: descriptor, path))
        guard stamp.size <= limit else {
            throw Self.error(path, "the file has \(stamp.size) bytes; at most \(limit) bytes are read")
        }
        do throws(PathDescriptor.Failure) {
            bytes = try Self.content(expecting: Int(stamp.size), upTo: limit) {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
        } catch {
            throw Self.error(path, Self.reason(error.code))
        }
    }

    /// Reads until the end of a file, or until the content is one byte too large.
    ///
    /// - Parameters:
    ///   - size: The size that the file had before.
    ///   - limit: The maximum number of bytes.
    ///   - read: Fills a buffer as `read` does: returns the number of bytes, 0 at the end of the file, or -1 with the
    ///     reason in `errno`.
    package static func content(
        expecting size: Int,
        upTo limit: Int = AccessoryFile.maximumSize,
        _ read: (UnsafeMutableRawBufferPointer) -> Int
    ) throws(PathDescriptor.Failure) -> [UInt8] {
        var content: [UInt8] = []
        // The limit also applies to a file that grows while it is read.
        while content.count <= limit {
            let wanted = min(max(size, 4_096) + 1, limit + 1 - content.count)
            var fault: Int32?
            let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                let got = read(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<wanted])
                )
                count = max(got, 0)
                fault = got < 0 ? errno : nil
            }
            if fault == EINTR { continue }
            if let fault { throw PathDescriptor.Failure(code: fault) }
            guard !part.isEmpty else { break }
            if content.isEmpty { content = part } else { content += part }
        }
        return content
    }

    /// The flags for opening a file: a pipe does not block, and a terminal does not become the process's controlling
    /// terminal.
    private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    /// Returns whether a path leads to a file in a folder that can be read and has no bytes.
    ///
    /// A file outside the folder is not opened.
    package static func isEmpty(_ path: String, in folder: String) -> Bool {
        (try? RegularFile(path, in: folder))?.stamp.size == 0
    }

    private static func open(_ path: String) throws(DocumentError) -> Int32 {
        let descriptor = Glibc.open(path, flags)
        guard descriptor >= 0 else { throw error(path, reason(errno)) }
        return descriptor
    }

    /// Opens a file that is in a folder or in one of its subfolders.
    ///
    /// The location is checked on a descriptor that already refers to the file, and the file is opened through this
    /// descriptor. So replacing a link after the check has no effect.
    private static func open(_ path: String, in folder: String) throws(DocumentError) -> Int32 {
        let opened: Int32?
        let fault: String?
        do throws(PathDescriptor.Failure) {
            let file = try PathDescriptor(path)
            let top = try PathDescriptor(folder)
            let status = try file.status()
            fault = containmentError(of: file, in: top) ?? fileTypeError(of: status)
            opened = fault == nil ? try file.open(flags) : nil
        } catch {
            throw Self.error(path, reason(error.code))
        }
        guard let opened else { throw error(path, fault ?? "") }
        return opened
    }

    /// Returns an error message if a file is not in a folder, or `nil` if it is.
    private static func containmentError(of file: borrowing PathDescriptor, in folder: borrowing PathDescriptor)
        -> String?
    {
        guard let target = file.path, let top = folder.path else {
            return "its location cannot be checked without /proc; mount /proc"
        }
        let isInside = target.starts(with: top.last == UInt8(ascii: "/") ? top : top + [UInt8(ascii: "/")])
        return isInside ? nil : "it is outside the folder that must contain it; move it there"
    }

    private static func status(of descriptor: Int32, _ path: String) throws(DocumentError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw error(path, reason(errno)) }
        if let fault = fileTypeError(of: status) { throw error(path, fault) }
        return status
    }

    /// Returns an error message for a file that is not a regular file, or `nil` for a regular file.
    private static func fileTypeError(of status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "this is a folder; name the files in it"
        default: "this is a pipe or a device; name a file"
        }
    }

    private static func error(_ path: String, _ reason: String) -> DocumentError {
        DocumentError([Diagnostic(.error, in: path, reason)])
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: "there is no such file; check the name"
        case EACCES, EPERM: "you may not read this file; change its permissions"
        case ELOOP: "the links form a loop; name the file itself"
        default: "the file cannot be read: \(String(cString: strerror(code))); check the file and the disk"
        }
    }
}
