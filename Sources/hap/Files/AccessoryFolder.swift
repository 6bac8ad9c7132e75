import AccessoryFiles
import Documents
import Glibc
import Storage
import WebConsole

/// A folder whose accessory files are all served: its names, and its files on disk.
///
/// Nothing outside of the folder is read or written, also not through links.
struct AccessoryFolder: Sendable {
    /// The path of the folder without links.
    let path: String

    /// The maximum number of bytes of a file's name.
    private static let maximumNameLength = 100
    private static let endings = [".yaml", ".yml", ".json", ".hasaccessory"]

    /// Opens a folder; creates it if it does not exist.
    ///
    /// - Throws: ``CommandFailure`` if it is not a folder, or cannot be created or read.
    init(_ name: String) throws(CommandFailure) {
        if mkdir(name, 0o777) != 0, errno != EEXIST {
            throw Self.failure(name, "cannot be created", errno)
        }
        guard let resolved = realpath(name, nil) else { throw Self.failure(name, "cannot be opened", errno) }
        defer { free(resolved) }
        path = String(cString: resolved)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure.usage("\(name.printable) is not a folder; name a folder with --accessories.")
        }
        guard access(path, R_OK | X_OK) == 0 else { throw Self.failure(name, "cannot be read", errno) }
    }

    private static func failure(_ name: String, _ reason: String, _ code: Int32) -> CommandFailure {
        CommandFailure.failed(
            "The folder \(name.printable) \(reason): \(String(cString: strerror(code))). Name another folder with "
                + "--accessories."
        )
    }

    /// Returns the path of a file of the folder.
    ///
    /// - Throws: ``DefinitionFolderError`` if the name cannot be that of a file in the folder.
    func path(of name: String) throws(DefinitionFolderError) -> String {
        let shown = String(name.prefix(Self.maximumNameLength)).printable
        guard !name.isEmpty, name.utf8.count <= Self.maximumNameLength else {
            throw .invalidName("\"\(shown)\" is too long; name the file with at most \(Self.maximumNameLength) bytes.")
        }
        guard !name.hasPrefix("."), !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 32 }) else {
            throw .invalidName("\"\(shown)\" is not the name of a file; write one without / and a leading period.")
        }
        guard let ending = Self.endings.first(where: name.lowercased().hasSuffix),
            name.utf8.count > ending.utf8.count
        else {
            throw .invalidName(
                "\"\(shown)\" has no known extension; end it in \(Self.endings.joined(separator: ", "))."
            )
        }
        return "\(path)/\(name)"
    }

    /// The names of the files that are served, sorted.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name, let path = try? self.path(of: name) else { continue }
            var status = stat()
            // A link that leads nowhere is reported, like a file that cannot be read.
            guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { continue }
            names.append(name)
        }
        return names.sorted()
    }

    /// Reads a file; returns one element for each device that it contains, or `nil` if it does not exist.
    func read(_ name: String) -> [SourceContents]? {
        guard let path = try? path(of: name) else { return nil }
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return SourceContents.all(of: path, in: self.path)
    }

    /// Reads a file that a definition of the folder includes.
    func includedFile(_ name: String) throws(DocumentError) -> [UInt8]? {
        try RegularFile(name.resolved(relativeTo: "\(path)/"), in: path).bytes
    }

    /// Writes a file; its content is on disk when the function returns.
    ///
    /// - Throws: ``DefinitionFolderError``; the file is unchanged then.
    func write(_ bytes: [UInt8], to name: String) throws(DefinitionFolderError) {
        let path = try path(of: name)
        var status = stat()
        // A definition can contain a setup code.
        let permissions: AtomicFile.Permissions =
            lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? .mode(status.st_mode & 0o777) : .owner
        do throws(AtomicFile.Failure) {
            try AtomicFile.write(bytes, to: path, permissions: permissions)
        } catch {
            throw Self.writeFailure(name, error.code)
        }
        try synchronize(name)
    }

    /// Writes a copy of a file under a name that is free: the file's name, a number and `.bak`.
    func copy(_ bytes: [UInt8], of name: String) throws(DefinitionFolderError) {
        let path = try backupPath(of: name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.writeFailure(name, errno) }
        defer { close(descriptor) }
        guard AtomicFile.writeAll(bytes, to: descriptor), fsync(descriptor) == 0 else {
            let code = errno
            unlink(path)
            throw Self.writeFailure(name, code)
        }
    }

    /// Renames a file to a name that is free: the file's name, a number and `.bak`.
    func setAside(_ name: String) throws(DefinitionFolderError) {
        guard rename(try path(of: name), try backupPath(of: name)) == 0 else {
            guard errno != ENOENT else { throw .unknownFile(name) }
            throw Self.writeFailure(name, errno)
        }
        try synchronize(name)
    }

    private func backupPath(of name: String) throws(DefinitionFolderError) -> String {
        let path = try path(of: name)
        var number = 1
        var status = stat()
        while lstat("\(path).\(number).bak", &status) == 0 { number += 1 }
        return "\(path).\(number).bak"
    }

    /// Waits until the names in the folder are on disk.
    private func synchronize(_ name: String) throws(DefinitionFolderError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.writeFailure(name, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.writeFailure(name, errno) }
    }

    private static func writeFailure(_ name: String, _ code: Int32) -> DefinitionFolderError {
        .failed(
            "\"\(name.printable)\" cannot be written: \(String(cString: strerror(code))). Check the permissions of the "
                + "folder and the space on the disk."
        )
    }
}
