import AccessoryFiles
import FoundationEssentials
import Glibc
import Hosting
import Storage

/// A file that is written atomically.
struct OutputFile: Sendable {
    private let name: String
    /// The target of the link if the file is a link, so that the link itself is not replaced.
    private let path: String
    private let isSecret: Bool
    /// The user to whom the link must belong.
    private let user: uid_t

    /// Creates an output file, without writing it.
    ///
    /// - Parameters:
    ///   - name: The path of the file.
    ///   - isSecret: Whether only the owner may read a new file, because it can contain a setup code or keys.
    ///   - user: The user who writes it.
    init(_ name: String, isSecret: Bool, by user: uid_t = geteuid()) {
        self.name = name
        self.isSecret = isSecret
        self.user = user
        path = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    }

    /// Checks whether the file may be written.
    ///
    /// - Parameter isReplacing: Whether an existing file is replaced.
    /// - Throws: ``CommandFailure`` when the path is a folder, a broken link or a link of another user, when its folder
    ///   is not writable, or when the file exists and must not be replaced.
    func check(isReplacing: Bool) throws {
        try checkLink()
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw CommandFailure.failed("\(name.printable) is not a regular file; name a file to write.")
            }
            guard isReplacing else {
                throw CommandFailure.failed("\(name.printable) already exists; add --force to replace it.")
            }
        } else if lstat(name, &status) == 0 {
            throw CommandFailure.failed("\(name.printable) is a broken link; name the file itself.")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard !name.hasSuffix("/"), access(folder, W_OK | X_OK) == 0 else { throw failure }
    }

    /// Writes the file atomically.
    ///
    /// A file of the same user that is replaced keeps its permissions.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written. In this case a previous file stays unchanged,
    ///   unless only the name of the new one could not be written to disk.
    func write(_ bytes: [UInt8]) throws {
        try checkLink()
        let permissions = AtomicFile.Permissions(ofFileAt: path, of: user) ?? (isSecret ? .owner : .umask)
        do throws(AtomicFile.Failure) {
            try AtomicFile.write(bytes, to: path, permissions: permissions)
        } catch {
            throw failure
        }
    }

    /// Refuses a link of another user, which could lead to any file, as Linux does in `/tmp`.
    private func checkLink() throws {
        var status = stat()
        guard lstat(name, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, ![user, 0].contains(status.st_uid) else {
            return
        }
        throw CommandFailure.failed("\(name.printable) is a link of another user; name the file itself.")
    }

    private var failure: CommandFailure {
        CommandFailure.failed(
            "\(name.printable) cannot be written; name a file in a writable folder, on a disk with free space."
        )
    }
}

extension OutputFile {
    /// Returns the name of a schema if it is in the same folder as a file, so that editors find it, or `nil` otherwise.
    static func schema(_ schema: String, nextTo file: String) -> String? {
        FileManager.default.fileExists(atPath: schema.resolved(relativeTo: file)) ? schema : nil
    }
}
