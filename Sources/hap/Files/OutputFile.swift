import Foundation

/// A file that is written whole, or not at all.
struct OutputFile: Sendable {
    private let name: String
    /// Where a link leads, so that the link stays one.
    private let path: String

    init(_ name: String) {
        self.name = name
        path = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    }

    /// Looks whether it may be written.
    ///
    /// - Throws: ``CommandFailure`` when it is a folder or in one that may not be written to, or is there and not to be replaced.
    func check(isReplacing: Bool) throws(CommandFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if lstat(name, &status) == 0 {
                throw CommandFailure(.failed, "\(name.printable) is a link that leads nowhere; name the file itself.")
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard access(folder, W_OK) == 0 else { throw failure }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.failed, "\(name.printable) is no file; name one to write.")
        }
        guard isReplacing else {
            throw CommandFailure(.failed, "\(name.printable) is there already; add --force to replace it.")
        }
    }

    /// Writes it in one step: whoever reads it sees all of it or what was there before.
    ///
    /// One that is replaced keeps its permissions.
    ///
    /// - Throws: ``CommandFailure`` when that does not work; what was there before stays.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        var status = stat()
        if stat(path, &status) == 0 {
            fchmod(descriptor, status.st_mode & 0o777)
        }
        guard (try? FileDescriptorWriter.write(bytes, to: descriptor)) != nil, fsync(descriptor) == 0,
            rename(temporary, path) == 0
        else {
            unlink(temporary)
            throw failure
        }
    }

    private var failure: CommandFailure {
        CommandFailure(
            .failed,
            "\(name.printable) cannot be written; name a file in a folder that you may write to, on a disk with room."
        )
    }
}
