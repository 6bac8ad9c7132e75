import AccessoryFiles
import Foundation
import Storage

/// A file that is written whole, or not at all.
struct OutputFile: Sendable {
    private let name: String
    /// Where a link leads, so that the link stays one.
    private let path: String
    private let isSecret: Bool

    /// Names a file.
    ///
    /// - Parameter isSecret: Whether a new file is for its owner alone, as its content can have a setup code or keys.
    init(_ name: String, isSecret: Bool) {
        self.name = name
        self.isSecret = isSecret
        path = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    }

    /// Looks whether it may be written.
    ///
    /// - Throws: ``CommandFailure`` when it is a folder or in one that may not be written to, or is there and not to be replaced.
    func check(isReplacing: Bool) throws(CommandFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if lstat(name, &status) == 0 {
                throw CommandFailure.failed("\(name.printable) is a link that leads nowhere; name the file itself.")
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard access(folder, W_OK) == 0 else { throw failure }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure.failed("\(name.printable) is no file; name one to write.")
        }
        guard isReplacing else {
            throw CommandFailure.failed("\(name.printable) is there already; add --force to replace it.")
        }
    }

    /// Writes the file in one step; one that is replaced keeps its permissions.
    ///
    /// - Throws: ``CommandFailure`` when that does not work; what was there before stays.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var status = stat()
        let permissions: AtomicFile.Permissions =
            stat(path, &status) == 0 ? .mode(status.st_mode & 0o777) : isSecret ? .owner : .umask
        do throws(AtomicFile.Failure) {
            try AtomicFile.write(bytes, to: path, permissions: permissions)
        } catch {
            throw failure
        }
    }

    private var failure: CommandFailure {
        CommandFailure.failed(
            "\(name.printable) cannot be written; name a file in a folder that you may write to, on a disk with room."
        )
    }
}

extension OutputFile {
    /// The name of a schema if it is in the folder of a file, so that editors find it; `nil` otherwise.
    static func schema(_ schema: String, nextTo file: String) -> String? {
        FileManager.default.fileExists(atPath: schema.resolved(relativeTo: file)) ? schema : nil
    }
}
