internal import AccessoryFiles
internal import Documents
internal import HAPCore
internal import Resources

/// A definition to begin a new accessory with.
struct GalleryEntry: Sendable {
    /// The name of the file without its extension.
    var name: String
    /// The name of the accessory.
    var title: String
    /// The definition in YAML.
    var text: String

    static let format = Format<GalleryEntry>(
        response: "GalleryEntry",
        .written("name", \.name, .string, "The name of the file without its extension."),
        .written("title", \.title, .string, "The name of the accessory."),
        .written("text", \.text, .string, "The definition in YAML.")
    )
}

/// The definitions of the folder Accessories, which are part of the program.
enum Gallery {
    /// The definitions, sorted by name.
    static let entries: [GalleryEntry] = {
        GalleryFiles.all.sorted { $0.key < $1.key }.map { entry($0.key, $0.value) }
    }()

    private static func entry(_ name: String, _ bytes: [UInt8]) -> GalleryEntry {
        let file = "\(name).yaml"
        var text = bytes
        var title = name
        var includesFiles = false
        let contents = try? AccessoryFile.read(bytes, name: file) { included throws(DocumentError) in
            includesFiles = true
            return GalleryFiles.included(included)
        }
        if let contents {
            title = contents.document.name
            // The included files are not in the folder of the new accessory.
            if includesFiles,
                let whole = try? AccessoryFile.write(contents.document, as: .yaml, name: file, schema: nil).bytes
            {
                text = whole
            }
        }
        return GalleryEntry(name: name, title: title, text: String(decoding: text, as: UTF8.self))
    }
}
