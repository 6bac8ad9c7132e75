internal import Foundation

/// A definition in the folder Accessories.
package struct GalleryFile: Sendable, Hashable, CustomStringConvertible {
    /// The name of the file without its extension.
    package let name: String

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Accessories")

    /// All definitions, sorted by name.
    package static let all: [GalleryFile] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "yaml" }
            .map { GalleryFile(name: $0.deletingPathExtension().lastPathComponent) }
            .sorted { $0.name < $1.name }
    }()

    package init(name: String) {
        self.name = name
    }

    /// The path, as it appears in diagnostics.
    package var path: String { "Accessories/\(name).yaml" }

    package var description: String { path }

    /// The content of the file.
    package var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: Self.folder.appending(path: "\(name).yaml"))) }
    }

    /// Returns the content of a file in the same folder, which this one includes.
    package static func includedFile(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appending(path: path))).map { Array($0) }
    }
}
