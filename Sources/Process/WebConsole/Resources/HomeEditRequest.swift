internal import AccessoryFiles
internal import Documents
internal import HTTPTypes
internal import HomeModel
internal import HomeRuntime
internal import Hosting
internal import Resources

/// An edit of one object of a home, as `hap home add`, `change`, `edit`, `rename` and `remove` make it.
struct HomeEditRequest: Sendable {
    enum Operation: String, CaseIterable {
        case add, change, replace, rename, remove
    }

    var operation = Operation.change
    var kind = HomeObjectKind.room
    var name = ""
    var content: String?
    var newName: String?
    var revision: String?

    /// The kinds of objects that can be edited; the home itself is edited as a file.
    static let kinds = HomeObjectKind.allCases.filter { $0 != .home }

    static let format = ObjectFormat(
        HomeEditRequest(),
        [
            .required(
                "operation",
                \.operation,
                .word(Operation.allCases.map { ($0.rawValue, $0) }),
                "What to do: change replaces the keys of the content and removes those with null; replace replaces everything."
            ),
            .required("kind", \.kind, .word(kinds.map { ($0.rawValue, $0) }), "The kind of object."),
            .required("name", \.name, .string, "The name of the object, or of a new one."),
            .optional(
                "content",
                \.content,
                .string,
                "The content to add, change or replace: YAML or JSON, as a home file has it under the name."
            ),
            .optional(
                "newName",
                \.newName,
                .string,
                "The new name: to rename the object, or together with another edit."
            ),
            .optional(
                "revision",
                \.revision,
                .string,
                "The revision of the file from which the content was made; another one is not replaced. Default: any."
            ),
        ]
    )
    .format()

    /// Edits a home.
    ///
    /// - Returns: The homes after the edit, and what else has changed, in sentences.
    /// - Throws: `DocumentError` with the places in the content, `HomeError`, or ``Problem`` for a part that is missing.
    func edit(_ home: Home, of homes: Homes) throws -> (homes: Homes, effects: [String]) {
        var edited = (homes: homes, effects: [String]())
        switch operation {
        case .rename:
            guard newName != nil else { throw Problem.invalid("The new name is missing; send it as newName.") }
        case .remove:
            guard kind != .service else {
                throw Problem.invalid("A service is removed with its accessory; remove the accessory.")
            }
            let effects = try edited.homes.edit(home.id) { home throws(HomeError) in
                try home.remove(kind, named: name)
            }
            edited.effects = effects.map(\.description)
            return edited
        case .add:
            guard kind != .service else {
                throw Problem.invalid("A service comes with its accessory; add the accessory.")
            }
            edited = result(try edit(.add, named: try ObjectName(name), home, homes))
        case .change, .replace:
            guard kind != .room else { throw Problem.invalid("A room has only a name; rename it.") }
            guard content != nil else { throw Problem.invalid("The content is missing; send what a home file has.") }
            let named = try home.name(of: kind, named: name)
            edited = result(try edit(operation == .change ? .change : .replace, named: named, home, homes))
        }
        if let newName {
            let newName = try ObjectName(newName)
            try edited.homes.edit(home.id) { home throws(HomeError) in
                try home.rename(kind, named: name, to: newName)
            }
        }
        return edited
    }

    private func edit(
        _ operation: HomeObjectEdit.Operation,
        named name: ObjectName,
        _ home: Home,
        _ homes: Homes
    ) throws(DocumentError) -> HomeObjectEdit {
        let bytes = content.map { Array($0.utf8) }
        return try HomeObjectEdit(operation, kind, named: name, in: home, of: homes, content: bytes, file: "content")
    }

    private func result(_ edit: HomeObjectEdit) -> (homes: Homes, effects: [String]) {
        (edit.homes, edit.changes.map(\.text) + edit.warnings.map(\.pathAndReason))
    }
}

/// An object of a served home in the notation of its file.
struct HomeObjectResource: Sendable {
    let kind: HomeObjectKind
    let name: String
    let content: String
    let revision: String

    static let format = Format<HomeObjectResource>(
        response: "HomeObject",
        .written("kind", \.kind.rawValue, .string, "The kind of object."),
        .written("name", \.name, .string, "The name, as the home writes it."),
        .written("content", \.content, .string, "What a home file has under the name, in YAML."),
        .written("revision", \.revision, .string, "A hash of the file, which an edit names.")
    )
}

extension ConsoleHome {
    /// Returns an object in the notation of the file.
    func object(_ kind: String, named name: String) async throws -> HomeObjectResource {
        guard let kind = HomeEditRequest.kinds.first(where: { $0.rawValue == kind }) else {
            let kinds = HomeEditRequest.kinds.map(\.rawValue).joined(separator: ", ")
            throw Problem.unknown("kind of object", "the kinds are \(kinds)")
        }
        let file = try await editableFile().content()
        let (home, _) = try await storedHome()
        let found: ObjectName
        do throws(HomeError) { found = try home.name(of: kind, named: name) } catch { throw Problem(unknown: error) }
        let content = try HomeObjectEdit.content(of: kind, named: found, in: home)
        return HomeObjectResource(
            kind: kind,
            name: found.text,
            content: String(decoding: content, as: UTF8.self),
            revision: file.revision
        )
    }

    /// Edits the file of the home, and what is stored of its automations.
    ///
    /// An edit that names no revision is made again if another one was faster.
    func edit(_ request: HomeEditRequest) async throws -> HomeEditResource {
        let file = try editableFile()
        for _ in 1..<Self.attempts where request.revision == nil {
            do {
                return try await edit(request, in: file)
            } catch DefinitionFolderError.changed {
                continue
            }
        }
        return try await edit(request, in: file)
    }

    /// The number of times that an edit without a revision is made.
    private static let attempts = 50

    private func edit(_ request: HomeEditRequest, in file: ServedHomeFile) async throws -> HomeEditResource {
        let content = try await file.content()
        let name = DefinitionFileName(content.path)
        if let revision = request.revision, revision != content.revision {
            throw DefinitionFolderError.changed(name: name, revision: content.revision)
        }
        let (home, homes) = try await storedHome()
        let edited: (homes: Homes, effects: [String])
        let text: [UInt8]
        do {
            edited = try request.edit(home, of: homes)
            text = try HomeFile.text(
                Array(content.text.utf8),
                name: content.path,
                changing: home,
                to: edited.homes.home(home.id) ?? home
            )
        } catch let error as DocumentError {
            var problem = Problem(
                .unprocessableContent,
                "invalid-content",
                error.diagnostics.map(\.pathAndReason).joined(separator: "; ") + "."
            )
            problem.diagnostics = error.diagnostics
            throw problem
        }
        let new = edited.homes.home(home.id) ?? home
        _ = try await file.replace(
            String(decoding: text, as: UTF8.self),
            revision: content.revision,
            renames: HomeFileRename.all(from: home, to: new)
        )
        for automation in new.automations
        where home.automation(automation.id)?.isEnabled == !automation.isEnabled {
            try await store.setAutomation(named: automation.name.text, isEnabled: automation.isEnabled, in: new)
        }
        runner.recordEdit()
        return HomeEditResource(request.message, edited.effects)
    }

    /// Returns the stored version of the home, and all stored homes.
    private func storedHome() async throws -> (home: Home, homes: Homes) {
        let homes = try await store.homes().homes
        let running = await runner.runner.home
        return (homes.home(running.id) ?? running, homes)
    }
}

extension HomeEditRequest {
    /// What was done, in a sentence.
    fileprivate var message: String {
        switch operation {
        case .add: "Added the \(kind.rawValue) \(name)."
        case .change, .replace: "Changed the \(kind.rawValue) \(name)."
        case .rename: "The \(kind.rawValue) \(name) is now called \(newName ?? "")."
        case .remove: "Removed the \(kind.rawValue) \(name)."
        }
    }
}
