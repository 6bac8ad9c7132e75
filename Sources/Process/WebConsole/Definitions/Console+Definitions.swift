internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import Hosting

extension Problem {
    init(_ error: DefinitionFolderError) {
        switch error {
        case .invalidName(let reason): self.init(.badRequest, "invalid-name", reason)
        case .unknownFile(let name):
            self.init(
                .notFound,
                "unknown-file",
                "There is no file \"\(name)\" in the folder; GET /api/v1/definitions lists them."
            )
        case .exists(let name, let revision):
            self.init(.conflict, "changed", "\"\(name)\" exists already; choose another name, or edit that file.")
            self.revision = revision
        case .changed(let name, let revision):
            let reason =
                revision == nil
                ? "\"\(name)\" no longer exists; save it as a new file, or discard the edit."
                : "\"\(name)\" is different on disk; load it, and repeat the edit."
            self.init(.conflict, "changed", reason)
            self.revision = revision
        case .invalid(let name, let diagnostics):
            let errors = diagnostics.filter { $0.severity == .error }
            let first = errors.first.map(\.pathAndReason) ?? ""
            self.init(
                .unprocessableContent,
                "invalid-definition",
                "\"\(name)\" has \(errors.count == 1 ? "an error" : "\(errors.count) errors"), so nothing was changed: "
                    + "\(first)."
            )
            self.diagnostics = diagnostics
            file = name.text
        case .refused(let reason): self.init(.conflict, "refused", reason)
        case .failed(let reason, let revision):
            self.init(.internalServerError, "failed", reason)
            self.revision = revision
        }
    }
}

extension Console {
    /// Returns the folder of definitions.
    ///
    /// - Throws: ``Problem`` if the process serves no folder.
    func definitionFolder() throws -> ServedFiles {
        guard let definitions else {
            throw Problem(
                .conflict,
                "no-folder",
                "This process has no folder for definitions; start 'hap serve --accessories DIR' to edit accessories."
            )
        }
        return definitions
    }
}
