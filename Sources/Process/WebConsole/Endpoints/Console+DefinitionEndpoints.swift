internal import AccessoryFiles
internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import Hosting
internal import Resources

/// The operations of the builder: types, gallery, and the files of the folder of definitions.
extension Console {
    /// The operations read and write whole files: bodies of up to 1 MiB, and files of up to 4 MiB.
    static let definitionEndpoints = fileEndpoints.map { endpoint in
        var endpoint = endpoint
        endpoint.leavesEventLoop = true
        endpoint.readsDefinition = endpoint.body != nil || endpoint.path.contains("{file}")
        return endpoint
    }

    private static let fileEndpoints: [Endpoint] = [
        Endpoint(
            .get,
            "/api/v1/types",
            "Lists the types of services and characteristics, and the categories",
            result: ("The types.", TypesResource.format)
        ) { _, _ in TypesResource.all },
        Endpoint(
            .get,
            "/api/v1/gallery",
            "Lists definitions to begin a new accessory with",
            result: ("The definitions.", .list(of: GalleryEntry.format))
        ) { _, _ in Gallery.entries },
        Endpoint(
            .get,
            "/api/v1/definitions",
            "Lists the files in the folder of definitions",
            result: ("The files.", .list(of: DefinitionListEntry.format))
        ) { _, console in
            try await console.definitionFolder().definitionFiles.map { DefinitionListEntry(file: $0) }
        },
        Endpoint(
            .post,
            "/api/v1/definitions/check",
            "Checks a definition while it is edited, and returns what would be served; nothing is written",
            body: DefinitionCheckRequest.format,
            result: ("The result, also if the definition has errors.", DefinitionCheck.format)
        ) { body, _, console in
            await console.check(try body.content(), file: body.file)
        },
        Endpoint(
            .post,
            "/api/v1/definitions/import",
            "Converts a file of any kind to definitions; nothing is written",
            body: ImportRequest.format,
            result: ("A definition for each device in the file.", .list(of: ImportedDefinition.format))
        ) { body, _, _ in
            try ImportedDefinition.all(of: body.bytes(), name: body.name)
        },
        Endpoint(
            .get,
            "/api/v1/definitions/{file}",
            "Returns a file with its content and its errors",
            result: ("The file.", DefinitionResource.format)
        ) { request, console in
            DefinitionResource(try await console.definitionFile(of: request))
        },
        Endpoint(
            .put,
            "/api/v1/definitions/{file}",
            "Writes a file to disk and serves it; nothing changes if it has errors",
            body: DefinitionSaveRequest.format,
            result: ("The file.", DefinitionResource.format)
        ) { body, request, console in
            let save = DefinitionSave(
                name: DefinitionFileName(request["file"]),
                content: try body.content(),
                revision: body.revision,
                keepsCopy: body.keepsCopy
            )
            return DefinitionResource(try await console.definitionFolder().save(save))
        },
        Endpoint(
            .delete,
            "/api/v1/definitions/{file}",
            "Renames a file to NAME.N.bak and ends its server, whose state stays",
            query: [.query("revision", "The revision that was seen. Default: any.")],
            noContent: "The file is renamed, and its server has ended."
        ) { request, console in
            let name = DefinitionFileName(request["file"])
            try await console.definitionFolder().delete(fileNamed: name, revision: request.query["revision"])
        },
        Endpoint(
            .get,
            "/api/v1/definitions/{file}/export",
            "Returns a file in another form, to download",
            query: [
                .query(
                    "format",
                    "The form: hasaccessory, json, yaml, or dump for the JSON of GET /accessories. Default: yaml.",
                    Format.word(AccessoryFileKind.allCases.map { ($0.name, $0) }).schema
                )
            ],
            success: .text("application/octet-stream", "The file.")
        ) { request, console in
            try export(try await console.definitionFile(of: request), as: request.query["format"] ?? "yaml")
        },
    ]

    /// Returns the file that a path names.
    private func definitionFile(of request: APIRequest) async throws -> DefinitionFile {
        try await definitionFolder().file(named: DefinitionFileName(request["file"]))
    }

    /// Checks a definition, as it would be in a file of the folder.
    private func check(_ content: DefinitionContent, file: String?) async -> DefinitionCheck {
        let name = file ?? "definition"
        var check = DefinitionCheck(content, name: name) { included throws(DocumentError) in
            try definitions?.includedFile(included)
        }
        guard let definitions, case .success(let contents) = check.reading else { return check }
        let errors =
            if let file {
                await definitions.conflicts(of: contents.document, inFileNamed: DefinitionFileName(file))
            } else {
                // A new draft has no name yet, so what it shares with other files is found when it is saved.
                await definitions.programErrors(of: contents.document, in: name)
            }
        check.reading = contents.adding(errors)
        return check
    }

    /// Converts a file to another kind.
    private static func export(_ file: DefinitionFile, as format: String) throws -> APIResponse {
        guard let kind = AccessoryFileKind.allCases.first(where: { $0.name == format }) else {
            let names = AccessoryFileKind.allCases.map(\.name).joined(separator: ", ")
            throw Problem.invalid("\"\(format.prefix(100))\" is not a format; write one of \(names).")
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
            throw DefinitionFolderError.invalid(name: file.name, error.diagnostics)
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
