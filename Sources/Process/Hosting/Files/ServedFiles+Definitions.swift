package import AccessoryFiles
internal import AsyncPrimitives
package import Documents
internal import Glibc

/// The folder of definitions for the API.
extension ServedFiles {
    /// The files, sorted by name.
    package var definitionFiles: [DefinitionFile] {
        files.sorted { $0.key < $1.key }.map { definitionFile($0.key, $0.value) }
    }

    /// Reads a file.
    package func file(named name: DefinitionFileName) async throws(DefinitionFolderError) -> DefinitionFile {
        let folder = try openFolder()
        _ = try folder.path(of: name)
        return try await inTurn { () async throws(DefinitionFolderError) in
            try await self.current(name, in: folder)
        }
    }

    /// Writes a file to disk, and serves it before the function returns.
    package func save(_ request: DefinitionSave) async throws(DefinitionFolderError) -> DefinitionFile {
        let folder = try openFolder()
        let name = request.name
        let path = try folder.path(of: name)
        guard AccessoryFileKind(path: name.text) != .archive else {
            throw .refused("\"\(name)\" is an export; import it, and save it as a .yaml file.")
        }
        return try await inTurn { () async throws(DefinitionFolderError) in
            try await self.checkPresence(of: folder)
            let sources = await DiskWork.run { folder.read(name) }
            let former = sources?.first?.bytes
            let isReadable = await DiskWork.run { former != [] || RegularFile.isEmpty(path, in: folder.path) }
            guard isReadable else {
                throw .refused("\"\(name)\" cannot be read, so it is not replaced; check its size and its permissions.")
            }
            try Self.check(former, request.revision, of: name)
            guard sources?.count ?? 0 <= 1 else {
                throw .refused("\"\(name)\" contains several devices; import it, and save each as a .yaml file.")
            }
            guard former != nil || self.files.count < AccessoryFolder.maximumFiles else {
                throw .refused("The folder has \(self.files.count) accessory files already; delete one of them.")
            }
            let bytes = Self.bytes(of: request.content, for: name, replacing: former)
            let reading = await DiskWork.run {
                AccessoryFile.readServable(bytes, name: path) { included throws(DocumentError) in
                    try folder.includedFile(included)
                }
            }
            var diagnostics = reading.diagnostics
            if case .success(let contents) = reading {
                diagnostics += self.conflicts(of: contents.document, in: name) { $0.file == name }
            }
            guard !diagnostics.contains(where: { $0.severity == .error }) else {
                throw .invalid(name: name, diagnostics.map(folder.locating))
            }
            try await DiskWork.run { () throws(DefinitionFolderError) in
                var copy: String?
                if let former, request.keepsCopy || Self.mustKeepCopy(of: former) {
                    copy = try folder.copy(former, of: name)
                }
                do throws(DefinitionFolderError) {
                    // The file may have changed since it was read.
                    try folder.write(bytes, to: name, replacing: request.revision)
                } catch {
                    // The new file may be there although its name could not be written to disk.
                    if let copy, folder.revision(at: path) != DefinitionFile.revision(of: bytes) { unlink(copy) }
                    throw error
                }
            }
            let saved = await DiskWork.run { folder.read(name) }
            let failures = await self.apply(saved, of: name)
            guard let current = saved?.first?.bytes, current == bytes else {
                // Another program has changed the file again.
                throw .changed(name: name, revision: saved?.first.map { DefinitionFile.revision(of: $0.bytes) })
            }
            guard failures.isEmpty else {
                throw .failed(
                    "\"\(name)\" is saved, but it is not served: \(failures.joined(separator: " "))",
                    revision: DefinitionFile.revision(of: current)
                )
            }
            guard let file = self.files[name] else { throw .unknownFile(name) }
            return self.definitionFile(name, file)
        }
    }

    /// Renames a file, so that it is no longer served but its content remains, and ends its servers.
    ///
    /// - Parameter revision: The revision that the caller has seen, or `nil` for any.
    package func delete(fileNamed name: DefinitionFileName, revision: String?) async throws(DefinitionFolderError) {
        let folder = try openFolder()
        _ = try folder.path(of: name)
        try await inTurn { () async throws(DefinitionFolderError) in
            try await self.checkPresence(of: folder)
            let file = try await self.current(name, in: folder)
            if let revision, file.revision != revision {
                throw .changed(name: name, revision: file.revision)
            }
            try await DiskWork.run { () throws(DefinitionFolderError) in
                try folder.setAside(name, revision: revision)
            }
            await self.apply(nil, of: name)
        }
    }

    /// Returns the errors of contents that cannot be served together with the other files, such as an id that two
    /// files have, and a warning if the id is not that of the file's server.
    package func conflicts(of document: AccessoryDocument, inFileNamed name: DefinitionFileName) -> [Diagnostic] {
        var diagnostics = conflicts(of: document, in: name) { $0.file == name }
        if let served = server(ofFile: name)?.content.file?.document, served.key != document.key {
            diagnostics.append(
                Diagnostic(
                    .warning,
                    in: name.text,
                    path: "id",
                    "with the id \"\(document.key)\" it is another accessory, without the pairings of \"\(served.key)\"; "
                        + "write the id \"\(served.key)\" to keep them"
                )
            )
        }
        return diagnostics
    }

    /// Returns an error for each driver that runs programs, which a file of the folder may not.
    package func programErrors(of document: AccessoryDocument, in name: String) -> [Diagnostic] {
        host.settings.allowsCommands ? [] : document.programErrors(in: name, isNamed: false)
    }

    /// Returns the content of a file that a definition of the folder includes, or `nil` if it does not exist.
    package nonisolated func includedFile(_ name: String) throws(DocumentError) -> [UInt8]? {
        try folder?.includedFile(name)
    }

    // MARK: -

    private func openFolder() throws(DefinitionFolderError) -> AccessoryFolder {
        guard let folder else { throw .refused("This process has no folder for definitions.") }
        return folder
    }

    /// Performs some work when no other change is being made.
    private func inTurn<Result: Sendable>(
        _ work: () async throws(DefinitionFolderError) -> Result
    ) async throws(DefinitionFolderError) -> Result {
        await turns.acquire()
        defer { turns.release() }
        return try await work()
    }

    /// Returns a file as it is on disk now, and serves it if it has changed; as it was read if the folder is missing.
    private func current(
        _ name: DefinitionFileName,
        in folder: AccessoryFolder
    ) async throws(DefinitionFolderError) -> DefinitionFile {
        if let file = files[name], (try? await checkPresence(of: folder)) == nil { return definitionFile(name, file) }
        let sources = await DiskWork.run { folder.read(name) }
        let isKnown = sources?.map(\.bytes) == files[name]?.sources.map(\.bytes)
        if !isKnown { await apply(sources, of: name) }
        guard let file = files[name] else { throw .unknownFile(name) }
        return definitionFile(name, file)
    }

    private func definitionFile(_ name: DefinitionFileName, _ file: FolderFile) -> DefinitionFile {
        DefinitionFile(
            name: name,
            bytes: file.bytes,
            reading: folder.map { file.reading.mapDiagnostics($0.locating) } ?? file.reading,
            server: server(ofFile: name)?.key
        )
    }

    /// Returns the first server of a file.
    private func server(ofFile name: DefinitionFileName) -> HostedServer? {
        host.servers.first { $0.content.file?.item?.file == name }
    }

    /// Checks that the file on disk is the one that was edited.
    private static func check(
        _ bytes: [UInt8]?,
        _ revision: String?,
        of name: DefinitionFileName
    ) throws(DefinitionFolderError) {
        let current = bytes.map { DefinitionFile.revision(of: $0) }
        if let current, revision == nil { throw .exists(name: name, revision: current) }
        guard current == revision else { throw .changed(name: name, revision: current) }
    }

    /// Returns whether a definition cannot express everything that is in a file that it replaces.
    private static func mustKeepCopy(of former: [UInt8]) -> Bool {
        // The text of a file that is not UTF-8 does not have all of its bytes.
        AccessoryFile.kind(of: former) != .yaml || String(validating: former, as: UTF8.self) == nil
    }

    /// Returns the bytes of a content; a file that is written again still names its schema.
    private static func bytes(
        of content: DefinitionContent,
        for name: DefinitionFileName,
        replacing former: [UInt8]?
    ) -> [UInt8] {
        switch content {
        case .text(let text): return Array(text.utf8)
        case .values(let values):
            let schema = former.flatMap { DefinitionText($0, name: name.text).schema }
            return DefinitionText(values, name: name.text, schema: schema).bytes
        }
    }
}
