internal import AccessoryFiles
internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import Hosting
internal import Resources

/// The operations of the builder: types, gallery, and the files of the folder of definitions.
extension Console {
    private static let file = Endpoint.Parameter.path(
        "file",
        "The name of the file, such as lamp.yaml, with the extension yaml, yml, json or hasaccessory; at most 100 bytes.",
        Schema(
            .init("type", "string"),
            .init("pattern", "^[^./][^/]*\\.[A-Za-z]+$"),
            .init("maxLength", .number(100))
        )
    )

    /// The operations read and write whole files: bodies of up to 1 MiB, and files of up to 4 MiB.
    static let definitionEndpoints = fileEndpoints.map { endpoint in
        var endpoint = endpoint
        endpoint.leavesEventLoop = true
        endpoint.readsDefinition = endpoint.body != nil || endpoint.path.contains("{file}")
        if endpoint.readsDefinition { endpoint.errors.append(.serviceUnavailable) }
        return endpoint
    }

    private static let fileEndpoints: [Endpoint] = [
        Endpoint(
            method: .get,
            path: "/api/v1/types",
            summary: "Lists the types of services and characteristics, and the categories",
            success: .json("The types.", TypesResource.format)
        ) { _, _ in .json(TypesResource.all, TypesResource.format) },
        Endpoint(
            method: .get,
            path: "/api/v1/gallery",
            summary: "Lists definitions to begin a new accessory with",
            success: .json("The definitions.", .list(of: GalleryEntry.format))
        ) { _, _ in .json(Gallery.entries, .list(of: GalleryEntry.format)) },
        Endpoint(
            method: .get,
            path: "/api/v1/definitions",
            summary: "Lists the files in the folder of definitions",
            success: .json("The files.", .list(of: DefinitionListEntry.format)),
            errors: [.conflict]
        ) { _, console throws(Problem) in
            let files = await (try console.definitionFolder()).definitionFiles
            return .json(files.map { DefinitionListEntry(file: $0) }, .list(of: DefinitionListEntry.format))
        },
        Endpoint(
            method: .post,
            path: "/api/v1/definitions/check",
            summary: "Checks a definition while it is edited, and returns what would be served; nothing is written",
            body: DefinitionCheckRequest.format.schema,
            success: .json("The result, also if the definition has errors.", DefinitionCheck.format)
        ) { request, console throws(Problem) in
            let request = try request.read(DefinitionCheckRequest.format)
            let check = await console.check(try request.content(), file: request.file)
            return .json(check, DefinitionCheck.format)
        },
        Endpoint(
            method: .post,
            path: "/api/v1/definitions/import",
            summary: "Converts a file of any kind to definitions; nothing is written",
            body: ImportRequest.format.schema,
            success: .json("A definition for each device in the file.", .list(of: ImportedDefinition.format)),
            errors: [.unprocessableContent]
        ) { request, _ throws(Problem) in
            let request = try request.read(ImportRequest.format)
            let definitions = try ImportedDefinition.all(of: request.bytes(), name: request.name)
            return .json(definitions, .list(of: ImportedDefinition.format))
        },
        Endpoint(
            method: .get,
            path: "/api/v1/definitions/{file}",
            summary: "Returns a file with its content and its errors",
            parameters: [file],
            success: .json("The file.", DefinitionResource.format),
            errors: folderErrors
        ) { request, console throws(Problem) in
            let file = try await console.withDefinitionFolder { folder throws(DefinitionFolderError) in
                try await folder.file(named: DefinitionFileName(request["file"]))
            }
            return .json(DefinitionResource(file), DefinitionResource.format)
        },
        Endpoint(
            method: .put,
            path: "/api/v1/definitions/{file}",
            summary: "Writes a file to disk and serves it; nothing changes if it has errors",
            parameters: [file],
            body: DefinitionSaveRequest.format.schema,
            success: .json("The file.", DefinitionResource.format),
            errors: folderErrors + [.unprocessableContent]
        ) { request, console throws(Problem) in
            let body = try request.read(DefinitionSaveRequest.format)
            let save = DefinitionSave(
                name: DefinitionFileName(request["file"]),
                content: try body.content(),
                revision: body.revision,
                keepsCopy: body.keepsCopy
            )
            let file = try await console.withDefinitionFolder { folder throws(DefinitionFolderError) in
                try await folder.save(save)
            }
            return .json(DefinitionResource(file), DefinitionResource.format)
        },
        Endpoint(
            method: .delete,
            path: "/api/v1/definitions/{file}",
            summary: "Renames a file to NAME.N.bak and ends its server, whose state stays",
            parameters: [
                file,
                .query("revision", Format<String>.string.schema, "The revision that was seen. Default: any."),
            ],
            success: .empty("The file is renamed, and its server has ended."),
            errors: folderErrors
        ) { request, console throws(Problem) in
            try await console.withDefinitionFolder { folder throws(DefinitionFolderError) in
                try await folder.delete(
                    fileNamed: DefinitionFileName(request["file"]),
                    revision: request.query["revision"]
                )
            }
            return .empty
        },
        Endpoint(
            method: .get,
            path: "/api/v1/definitions/{file}/export",
            summary: "Returns a file in another form, to download",
            parameters: [
                file,
                .query(
                    "format",
                    Format.word(AccessoryFileKind.allCases.map { ($0.name, $0) }).schema,
                    "The form: hasaccessory, json, yaml, or dump for the JSON of GET /accessories. "
                        + "Default: yaml."
                ),
            ],
            success: .text("application/octet-stream", "The file."),
            errors: folderErrors + [.unprocessableContent]
        ) { request, console throws(Problem) in
            let file = try await console.withDefinitionFolder { folder throws(DefinitionFolderError) in
                try await folder.file(named: DefinitionFileName(request["file"]))
            }
            return try export(file, as: request.query["format"] ?? "yaml")
        },
    ]

    private static let folderErrors: [WebResponse.Status] = [.notFound, .conflict, .internalServerError]

    /// Checks a definition, as it would be in a file of the folder.
    private func check(_ content: DefinitionContent, file: String?) async -> DefinitionCheck {
        let name = file ?? "definition"
        var check = DefinitionCheck(content, name: name) { included throws(DocumentError) in
            try definitions?.includedFile(included)
        }
        if let definitions, let file, case .success(let contents) = check.reading {
            let conflicts = await definitions.conflicts(of: contents.document, inFileNamed: DefinitionFileName(file))
            check.reading = contents.adding(conflicts)
        }
        return check
    }

    /// Converts a file to another kind.
    private static func export(_ file: DefinitionFile, as format: String) throws(Problem) -> APIResponse {
        guard let kind = AccessoryFileKind.allCases.first(where: { $0.name == format }) else {
            let names = AccessoryFileKind.allCases.map(\.name).joined(separator: ", ")
            throw .invalid("\"\(format.prefix(100))\" is not a format; write one of \(names).")
        }
        let title = file.name.text.lastIndex(of: ".").map { file.name.text[..<$0] } ?? file.name.text[...]
        let name = "\(title)\(kind.fileExtension)"
        let bytes: [UInt8]
        do throws(DocumentError) {
            let contents = try file.reading.get()
            // A definition keeps its comments.
            bytes =
                kind == .yaml && contents.kind == .yaml
                ? file.bytes : try AccessoryFile.write(contents.document, as: kind, name: name, schema: nil).bytes
        } catch {
            throw Problem(.invalid(name: file.name, error.diagnostics))
        }
        var response = APIResponse(status: .ok, mediaType: "application/octet-stream", content: .bytes(bytes))
        let encoded = name.utf8.map { byte in
            byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
                || "-._".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + byte.paddedHexadecimal.uppercased()
        }
        // [RFC 6266](https://www.rfc-editor.org/rfc/rfc6266)
        response.headers[.contentDisposition] = "attachment; filename*=UTF-8''\(encoded.joined())"
        return response
    }
}

extension AccessoryFileContents {
    /// Returns the contents with further warnings, or all diagnostics if one of them is an error.
    fileprivate func adding(_ diagnostics: [Diagnostic]) -> Result<AccessoryFileContents, DocumentError> {
        guard !diagnostics.contains(where: { $0.severity == .error }) else {
            return .failure(DocumentError(warnings + diagnostics))
        }
        var contents = self
        contents.warnings += diagnostics
        return .success(contents)
    }
}
