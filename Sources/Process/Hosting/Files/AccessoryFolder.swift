internal import AccessoryFiles
package import Documents
internal import Glibc
internal import Storage

/// A folder whose accessory files are all served: its names, and its files on disk.
///
/// Nothing outside of the folder is read or written, also not through links.
package struct AccessoryFolder: Sendable {
    /// The path of the folder without links.
    package let path: String
    /// The folder that was at the path at the start.
    package let identity: FileStamp.Identity
    /// Who names the folder.
    package let origin: NamedFile.Origin

    /// The maximum number of files that are served, and of servers.
    package static let maximumFiles = 1_000
    /// The maximum number of bytes of a file's name.
    private static let maximumNameLength = 100
    private static let extensions = AccessoryFileKind.shortExtensions

    /// Opens a folder; creates it if it does not exist.
    ///
    /// - Throws: ``HostError`` if it is not a folder, or cannot be created or read.
    package init(_ folder: NamedFile) throws(HostError) {
        let name = folder.path
        origin = folder.origin
        if mkdir(name, 0o777) != 0, errno != EEXIST {
            throw Self.failure(name, "cannot be created", errno)
        }
        guard let resolved = realpath(name, nil) else { throw Self.failure(name, "cannot be opened", errno) }
        defer { free(resolved) }
        path = String(cString: resolved)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw HostError.usage("\(name.printable) is not a folder; name a folder with --accessories.")
        }
        guard access(path, R_OK | X_OK) == 0 else { throw Self.failure(name, "cannot be read", errno) }
        identity = FileStamp.Identity(status)
    }

    private static func failure(_ name: String, _ reason: String, _ code: Int32) -> HostError {
        HostError.failed(
            "The folder \(name.printable) \(reason): \(String(cString: strerror(code))). Name another folder with "
                + "--accessories."
        )
    }

    /// Returns the path of a file of the folder.
    ///
    /// - Throws: ``DefinitionFolderError`` if the name cannot be that of a file in the folder.
    package func path(of name: DefinitionFileName) throws(DefinitionFolderError) -> String {
        let bytes = name.text.utf8
        let shown = String(name.text.prefix(Self.maximumNameLength)).printable
        guard !bytes.isEmpty, bytes.count <= Self.maximumNameLength else {
            throw .invalidName("\"\(shown)\" is too long; name the file with at most \(Self.maximumNameLength) bytes.")
        }
        guard bytes.first != UInt8(ascii: "."), !bytes.contains(where: { $0 == UInt8(ascii: "/") || $0 < 32 }) else {
            throw .invalidName("\"\(shown)\" is not the name of a file; write one without / or a leading period.")
        }
        let lowercased = name.text.lowercased().utf8
        guard Self.extensions.contains(where: { lowercased.count > $0.utf8.count && lowercased.hasSuffix($0.utf8) })
        else {
            throw .invalidName(
                "\"\(shown)\" has no known extension; end it in \(Self.extensions.joined(separator: ", "))."
            )
        }
        return "\(path)/\(name)"
    }

    /// The names of the files that are served, sorted; empty if the folder is missing.
    package var names: [DefinitionFileName] { listing()?.names ?? [] }

    /// Lists the files that are served, or returns `nil` if the folder is missing or cannot be read.
    ///
    /// - Parameters:
    ///   - known: The files that are served already. They keep their place when there are too many files.
    ///   - last: The last listing, which is returned again if nothing was added or removed since then.
    package func listing(keeping known: Set<DefinitionFileName> = [], since last: FolderListing? = nil)
        -> FolderListing?
    {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var status = stat()
        guard fstat(dirfd(folder), &status) == 0 else { return nil }
        if let last, last.isCurrent(status) { return last }
        var names: [DefinitionFileName] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name = name.map({ DefinitionFileName($0) }), (try? path(of: name)) != nil else { continue }
            names.append(name)
        }
        let others = names.filter { !known.contains($0) }.sorted()
        let all = names.filter(known.contains).sorted() + others
        // A link that leads nowhere is reported, like a file that cannot be read.
        let served = all.prefix(Self.maximumFiles)
            .filter { name in
                var status = stat()
                return stat("\(path)/\(name)", &status) != 0 || status.st_mode & S_IFMT == S_IFREG
            }
        return FolderListing(names: served.sorted(), omitted: max(all.count - Self.maximumFiles, 0), status)
    }

    /// Reads a file; returns one element for each device that it contains, or `nil` if it does not exist.
    package func read(_ name: DefinitionFileName) -> [SourceContents]? {
        guard let path = try? path(of: name) else { return nil }
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return SourceContents.all(of: NamedFile(path, namedBy: origin), in: self.path)
    }

    /// Returns a diagnostic with the name of its file relative to the folder.
    package func locating(_ diagnostic: Diagnostic) -> Diagnostic {
        let prefix = "\(path)/"
        guard diagnostic.file.utf8.starts(with: prefix.utf8) else { return diagnostic }
        var located = diagnostic
        located.file = String(decoding: diagnostic.file.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        return located
    }

    /// Reads a file that a definition of the folder includes.
    package func includedFile(_ name: String) throws(DocumentError) -> [UInt8]? {
        try RegularFile(name.resolved(relativeTo: "\(path)/"), in: path).bytes
    }

    /// Writes a file; its content is on disk when the function returns.
    ///
    /// - Parameter revision: The revision of the file to replace, or `nil` for a new file.
    /// - Throws: ``DefinitionFolderError``, also if another revision is on disk; the file is unchanged then, unless only
    ///   its name could not be written to disk.
    package func write(
        _ bytes: [UInt8],
        to name: DefinitionFileName,
        replacing revision: String?
    ) throws(DefinitionFolderError) {
        let path = try path(of: name)
        // A definition can contain a setup code.
        let permissions = AtomicFile.Permissions(ofFileAt: path) ?? .owner
        let replacement =
            revision.map { revision in AtomicFile.Replacement.file { self.revision(at: $0) == revision } } ?? .nothing
        let isWritten: Bool
        do throws(AtomicFile.Failure) {
            isWritten = try AtomicFile.write(bytes, to: path, permissions: permissions, replacing: replacement)
        } catch {
            throw Self.writeFailure(name, error.code)
        }
        guard isWritten else {
            let current = self.revision(at: path)
            guard revision == nil, let current else { throw .changed(name: name, revision: current) }
            throw .exists(name: name, revision: current)
        }
    }

    /// Returns the revision of the file at a path, or `nil` if there is none.
    package func revision(at path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return DefinitionFile.revision(of: (try? RegularFile(path, in: self.path))?.bytes ?? [])
    }

    /// Writes a copy of a file under a name that is free: the file's name, a number and `.bak`.
    ///
    /// - Returns: The path of the copy.
    @discardableResult
    package func copy(_ bytes: [UInt8], of name: DefinitionFileName) throws(DefinitionFolderError) -> String {
        let path = try backupPath(of: name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.writeFailure(name, errno) }
        defer { close(descriptor) }
        guard AtomicFile.writeAll(bytes, to: descriptor), fsync(descriptor) == 0 else {
            let code = errno
            unlink(path)
            throw Self.writeFailure(name, code)
        }
        return path
    }

    /// Renames a file to a name that is free: the file's name, a number and `.bak`.
    ///
    /// - Parameter revision: The revision that may be renamed, or `nil` for any.
    /// - Throws: ``DefinitionFolderError``, also if another revision is on disk; the file is unchanged then.
    package func setAside(_ name: DefinitionFileName, revision: String? = nil) throws(DefinitionFolderError) {
        let path = try path(of: name)
        var backup = try backupPath(of: name)
        while try !rename(path, toFree: backup, of: name) { backup = try backupPath(of: name) }
        if let revision, let current = self.revision(at: backup), current != revision {
            // If the file was created again meanwhile, it stays; this version then remains as the copy.
            _ = try rename(backup, toFree: path, of: name)
            throw .changed(name: name, revision: current)
        }
    }

    private func rename(
        _ path: String,
        toFree target: String,
        of name: DefinitionFileName
    ) throws(DefinitionFolderError) -> Bool {
        do throws(AtomicFile.Failure) {
            return try AtomicFile.rename(path, toFree: target)
        } catch {
            guard error.code != ENOENT else { throw .unknownFile(name) }
            throw Self.writeFailure(name, error.code)
        }
    }

    private func backupPath(of name: DefinitionFileName) throws(DefinitionFolderError) -> String {
        let path = try path(of: name)
        var number = 1
        var status = stat()
        while lstat("\(path).\(number).bak", &status) == 0 { number += 1 }
        return "\(path).\(number).bak"
    }

    static func writeFailure(_ name: DefinitionFileName, _ code: Int32) -> DefinitionFolderError {
        .failed(
            "\"\(name.text.printable)\" cannot be written: \(String(cString: strerror(code))). Check the permissions of the "
                + "folder and the space on the disk."
        )
    }
}

extension String.UTF8View {
    /// Returns whether the last bytes are those of another text.
    fileprivate func hasSuffix(_ other: String.UTF8View) -> Bool {
        suffix(other.count).elementsEqual(other)
    }
}
