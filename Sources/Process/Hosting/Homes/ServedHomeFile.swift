internal import AccessoryFiles
internal import AccessoryModel
internal import AsyncPrimitives
internal import Documents
internal import FoundationEssentials
internal import Glibc
package import HomeModel
internal import Storage

/// The file of a served home, which says what the home is.
///
/// Edits of the file in an editor, and edits that commands send, take turns.
package actor ServedHomeFile {
    /// The content of the file.
    package struct Content: Sendable {
        /// The path of the file, as it was given.
        package var path: String
        package var text: String
        /// A hash of the text.
        package var revision: String

        package init(path: String, text: String, revision: String) {
            self.path = path
            self.text = text
            self.revision = revision
        }
    }

    /// A change from one content of the file to another.
    struct Edit: Sendable {
        var document: HomeDocument
        /// The content until now, or `nil` at the start.
        var previous: HomeDocument?
        var renames: [HomeFileRename] = []
        /// Whether nothing is stored, to find out whether it could be.
        var isDryRun = false
    }

    /// Merges an edit into the stored homes, and returns the changes as sentences.
    typealias Merge = @Sendable (Edit) async throws(HostError) -> [String]

    private let file: NamedFile
    private let home: ObjectName
    private let report: @Sendable (String) async -> Void
    private let merge: Merge
    private let turns = TurnLock()
    /// The definitions that are served.
    private let definitions: Set<String>
    /// The content that the home has.
    private var document: HomeDocument
    private var revision: String?
    private var changeDetector: FileChangeDetector
    /// The sentences about changes that the home does not run yet.
    private var news: [String] = []

    init(
        _ source: HomeSource,
        _ document: HomeDocument,
        of home: ObjectName,
        report: @escaping @Sendable (String) async -> Void,
        merge: @escaping Merge
    ) {
        file = source.file
        self.home = home
        self.report = report
        self.merge = merge
        self.document = document
        definitions = Self.definitions(of: document, in: source.file.path)
        revision = source.revision
        changeDetector = FileChangeDetector([(source.file.path, source.stamp)])
    }

    /// Whether the file can be edited here; one that another file names, such as a scenario, cannot.
    package nonisolated var isEditable: Bool { file.origin == .user }

    private var path: String { file.path }

    /// The name for errors.
    private var name: DefinitionFileName { DefinitionFileName(path) }

    private static func definitions(of document: HomeDocument, in path: String) -> Set<String> {
        Set((document.servedHome?.definitions(in: path) ?? []).map(\.path))
    }

    /// Reads the file again if it has changed and is no longer being written.
    ///
    /// - Returns: The sentence to report once the new version of the home runs.
    func reload() async -> String? {
        await turns.acquire()
        defer { turns.release() }
        if !news.isEmpty {
            defer { news = [] }
            return news.joined(separator: " ")
        }
        guard changeDetector.shouldReload([FileStamp(path: path)]) else { return nil }
        let file = file
        guard let source = await UninterruptibleWork.run({ HomeSource(file) }) else { return nil }
        changeDetector = FileChangeDetector([(path, source.stamp)])
        do throws(HostError) {
            return try await adopt(try source.document(), source.revision)
        } catch {
            for line in error.message.split(separator: "\n") { await report(String(line)) }
            await report("\(path) is not reloaded; the home stays as it was.")
            return nil
        }
    }

    /// Returns the content of the file, which the home has when the function returns.
    ///
    /// - Throws: ``DefinitionFolderError`` if the file cannot be read or has errors.
    package func content() async throws(DefinitionFolderError) -> Content {
        await turns.acquire()
        defer { turns.release() }
        try requireOwnFile()
        let path = path
        let content: RegularFile
        do throws(DocumentError) {
            content = try await DiskWork.run { () throws(DocumentError) in try RegularFile(path) }
        } catch {
            throw .failed(error.diagnostics.map(\.line).joined(separator: " "))
        }
        let current = DefinitionFile.revision(of: content.bytes)
        if current != revision {
            let edited = try read(content.bytes)
            do throws(HostError) {
                news.append(try await adopt(edited, current))
            } catch {
                throw failure(error)
            }
            changeDetector = FileChangeDetector([(path, content.stamp)])
        }
        return Content(path: path, text: String(decoding: content.bytes, as: UTF8.self), revision: current)
    }

    /// Replaces the content of the file, and changes the home.
    ///
    /// The content is on disk, and in the stored homes, when the function returns.
    ///
    /// - Parameters:
    ///   - text: The new content.
    ///   - revision: The revision of the content from which the text was made.
    ///   - renames: The new names of objects that keep their state.
    /// - Throws: ``DefinitionFolderError``, also if another revision is on disk. Nothing is changed then, unless only the
    ///   homes could not be stored.
    package func replace(
        _ text: String,
        revision: String,
        renames: [HomeFileRename] = []
    ) async throws(DefinitionFolderError) -> Content {
        await turns.acquire()
        defer { turns.release() }
        try requireOwnFile()
        let bytes = Array(text.utf8)
        let document = try read(bytes)
        do throws(HostError) {
            let edit = Edit(document: document, previous: self.document, renames: renames, isDryRun: true)
            _ = try await merge(edit)
        } catch {
            throw failure(error)
        }
        let stamp = try await write(bytes, replacing: revision)
        let written = DefinitionFile.revision(of: bytes)
        do throws(HostError) {
            news.append(try await adopt(document, written, renames))
        } catch {
            // The file is read again like one that was edited in an editor.
            throw .failed(error.message, revision: written)
        }
        changeDetector = FileChangeDetector([(path, stamp)])
        return Content(path: path, text: text, revision: written)
    }

    private func requireOwnFile() throws(DefinitionFolderError) {
        guard isEditable else {
            throw .refused("A scenario or a configuration names the file of the home; edit it in an editor.")
        }
    }

    private func failure(_ error: HostError) -> DefinitionFolderError {
        error.diagnostics.isEmpty ? .failed(error.message) : .invalid(name: name, error.diagnostics)
    }

    /// Reads a content, and checks that it has the home.
    private func read(_ bytes: [UInt8]) throws(DefinitionFolderError) -> HomeDocument {
        let document: HomeDocument
        do throws(DocumentError) {
            document = try HomeFile.read(bytes, name: path)
        } catch {
            throw .invalid(name: name, error.diagnostics)
        }
        guard document.homes.contains(where: { $0.name.value.key == home.key }) else {
            throw .refused(missingHome.message)
        }
        return document
    }

    /// Writes the file in place of a revision, and returns its stamp.
    private func write(_ bytes: [UInt8], replacing revision: String) async throws(DefinitionFolderError) -> FileStamp? {
        // A link stays, and the file that it leads to is replaced.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let name = name
        return try await DiskWork.run { () throws(DefinitionFolderError) in
            var stamp: FileStamp?
            let isWritten: Bool
            do throws(AtomicFile.Failure) {
                isWritten = try AtomicFile.write(
                    bytes,
                    to: target,
                    permissions: AtomicFile.Permissions(ofFileAt: target) ?? .owner,
                    replacing: .file { Self.revision(at: $0) == revision },
                    observe: { descriptor in
                        var status = stat()
                        if fstat(descriptor, &status) == 0 { stamp = FileStamp(status) }
                    }
                )
            } catch {
                throw AccessoryFolder.writeFailure(name, error.code)
            }
            guard isWritten else { throw .changed(name: name, revision: Self.revision(at: target)) }
            return stamp
        }
    }

    private static func revision(at path: String) -> String? {
        (try? RegularFile(path)).map { DefinitionFile.revision(of: $0.bytes) }
    }

    private var missingHome: HostError {
        .fileContent("\(home) is no longer in the file; restart 'hap serve' for another home.")
    }

    /// Changes the home to the content of the file.
    ///
    /// - Returns: The sentence to report once the new version of the home runs.
    private func adopt(
        _ document: HomeDocument,
        _ revision: String?,
        _ renames: [HomeFileRename] = []
    ) async throws(HostError) -> String {
        guard document.homes.contains(where: { $0.name.value.key == home.key }) else { throw missingHome }
        let changes = try await merge(Edit(document: document, previous: self.document, renames: renames))
        self.document = document
        self.revision = revision
        if Self.definitions(of: document, in: path) != definitions {
            await report("\(path) names other definitions now; restart 'hap serve' to serve them.")
        }
        switch changes.count {
        case 0: return "\(path) has the same content as before."
        case 1...3: return "\(path) reloaded: \(changes.joined(separator: " "))"
        default: return "\(path) reloaded: \(changes.count) changes."
        }
    }
}

/// A new name of an object of a served home, which keeps what is stored about it.
package struct HomeFileRename: Sendable, Hashable {
    /// The kinds of objects about which something is stored that the file does not contain.
    package enum Kind: String, Sendable, CaseIterable {
        case automation, user
    }

    package var kind: Kind
    package var from: String
    package var to: String

    package init(_ kind: Kind, from: String, to: String) {
        self.kind = kind
        self.from = from
        self.to = to
    }

    /// Returns the renames between two versions of a home.
    package static func all(from old: Home, to new: Home) -> [HomeFileRename] {
        let automations = old.automations.compactMap { automation -> HomeFileRename? in
            guard let name = new.automation(automation.id)?.name, name != automation.name else { return nil }
            return HomeFileRename(.automation, from: automation.name.text, to: name.text)
        }
        let users = old.users.compactMap { user -> HomeFileRename? in
            guard let name = new.user(user.id)?.name, name != user.name else { return nil }
            return HomeFileRename(.user, from: user.name.text, to: name.text)
        }
        return automations + users
    }

    /// Renames the object in a home that has it.
    func apply(to home: inout Home) {
        guard let name = try? ObjectName(to) else { return }
        switch kind {
        case .automation:
            if let id = try? home.automation(named: from).id { try? home.renameAutomation(id, to: name) }
        case .user:
            if let id = try? home.user(named: from).id { try? home.renameUser(id, to: name) }
        }
    }
}
