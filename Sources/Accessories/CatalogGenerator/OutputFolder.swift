import Foundation

/// The folder of the generated files, which must not contain files of other generators.
struct OutputFolder {
    private let folder: URL

    /// Creates an output folder; the folder itself is created at the first write.
    init(_ folder: URL) {
        self.folder = folder
    }

    /// Writes the files, and deletes the files of earlier runs that are not among them.
    func write(_ files: [RenderedFile]) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name))
        }
        let names = Set(files.map(\.name))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !names.contains(name) {
            let url = folder.appendingPathComponent(name)
            // A file without the header was written by hand and must not be deleted.
            guard let text = try? String(contentsOf: url, encoding: .utf8), text.hasPrefix(RenderedFile.header) else {
                continue
            }
            try FileManager.default.removeItem(at: url)
        }
    }
}
