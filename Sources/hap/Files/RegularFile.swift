import AccessoryFiles
import Glibc

/// A file's content, with the stamp that it had before it was read.
struct RegularFile: Sendable {
    let bytes: [UInt8]
    let stamp: FileStamp

    /// Reads a file, one byte more than ``AccessoryFile/maximumSize`` at most: that shows one that is too large.
    ///
    /// Links are followed; what is no file, such as a pipe, is not read.
    ///
    /// - Throws: ``AccessoryFileError`` with one finding that says why.
    init(_ path: String) throws(AccessoryFileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.error(path, Self.reason(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.error(path, Self.reason(errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Self.error(path, "this is a folder; name the files in it")
        default: throw Self.error(path, "this is a pipe or a device; name a file")
        }
        stamp = FileStamp(status)
        guard stamp.size <= AccessoryFile.maximumSize else {
            throw Self.error(
                path,
                "the file has \(stamp.size) bytes; the most that are read are \(AccessoryFile.maximumSize)"
            )
        }
        var content: [UInt8] = []
        var fault: Int32?
        // What grows while it is read ends, too.
        while fault == nil, content.count <= AccessoryFile.maximumSize {
            let wanted = min(Int(stamp.size) + 1, AccessoryFile.maximumSize + 1 - content.count)
            let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                let got = Glibc.read(descriptor, buffer.baseAddress, wanted)
                count = max(got, 0)
                fault = got < 0 && errno != EINTR ? errno : nil
            }
            if part.isEmpty, fault == nil { break }
            content = content.isEmpty ? part : content + part
        }
        if let fault { throw Self.error(path, Self.reason(fault)) }
        bytes = content
    }

    private static func error(_ path: String, _ reason: String) -> AccessoryFileError {
        AccessoryFileError([FileFinding(.error, in: path, reason)])
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: "there is no such file; check the name"
        case EACCES, EPERM: "you may not read this file; change its permissions"
        case ELOOP: "these links lead nowhere; name the file itself"
        default: "the file cannot be read: \(String(cString: strerror(code))); check it, and the disk"
        }
    }
}
