internal import AccessoryFiles
internal import Documents
internal import HomeModel
internal import Hosting

/// The contents of the servers of a simulator, and the homes that they are in.
struct SimulatedContents: Sendable {
    /// The content of a home file.
    struct HomeFileContent: Sendable {
        let path: String
        let document: HomeDocument

        /// Returns the error to throw if the file does not fit the accessories.
        func error(of merge: HomeMerge) -> (any Error)? {
            let errors = HomeFile.diagnostics(of: merge, in: path).filter { $0.severity == .error }.map(\.line)
            let missing = merge.missing.map { missing in
                Diagnostic(
                    .error,
                    in: path,
                    at: missing.location?.position,
                    path: missing.location?.path ?? "",
                    "the simulator has no accessory with this name; name its file as \"definition\""
                )
                .line
            }
            guard !errors.isEmpty || !missing.isEmpty else { return nil }
            return HomeSimulatorError((errors + missing).joined(separator: "\n"))
        }
    }

    let served: [HostedContent]
    private(set) var home: HomeFileContent?

    /// Reads the files; without sources, the only content is the Kilgo garage.
    ///
    /// - Throws: ``HomeSimulatorError`` with all errors in the files.
    init(_ sources: [AccessorySource]) throws(HomeSimulatorError) {
        var files: [(contents: [SourceContents], definitions: [HomeDefinition])] = []
        do throws(HostError) {
            for source in sources {
                switch source.kind {
                case .gallery(let names):
                    for name in names { files.append(([try Self.gallery(name)], [])) }
                case .file(let path): files.append((SourceContents.all(of: NamedFile(path)), []))
                case .definition(let text):
                    files.append(([SourceContents(Array(text.utf8), name: "definition")], []))
                case .home(let path):
                    let document = try HomeSource(NamedFile(path)).document()
                    guard home == nil else { throw .usage("Name only one home file; it may describe several homes.") }
                    home = HomeFileContent(path: path, document: document)
                    let definitions = document.homes.flatMap { $0.definitions(in: path) }
                    files += ServedFileReference.all([], definitions)
                        .map { (SourceContents.all(of: $0.file), $0.definitions) }
                }
            }
            served = sources.isEmpty ? HostedContent.garages(1) : try HostedContent.load(files, nil).served
        } catch {
            throw HomeSimulatorError(error.message)
        }
    }

    private static func gallery(_ name: String) throws(HostError) -> SourceContents {
        guard let content = GalleryFiles.all[name] else {
            let names = GalleryFiles.all.keys.sorted().joined(separator: ", ")
            throw .usage("The gallery does not have \"\(name)\". It has \(names).")
        }
        return SourceContents(content, name: "\(name).yaml", include: GalleryFiles.included)
    }
}
