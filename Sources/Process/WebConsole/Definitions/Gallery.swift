internal import AccessoryFiles
internal import CGalleryFiles
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
        let files = Dictionary(uniqueKeysWithValues: (0..<gallery_file_count()).map(file))
        return files.keys.sorted().compactMap { name in files[name].map { entry(name, $0, among: files) } }
    }()

    private static func file(_ index: Int) -> (name: String, bytes: [UInt8]) {
        let file = gallery_file(index)
        return (String(cString: file.name), Array(UnsafeBufferPointer(start: file.content, count: file.size)))
    }

    private static func entry(_ name: String, _ bytes: [UInt8], among files: [String: [UInt8]]) -> GalleryEntry {
        let file = "\(name).yaml"
        var text = bytes
        var title = name
        var includesFiles = false
        let contents = try? AccessoryFile.read(bytes, name: file) { included throws(DocumentError) in
            includesFiles = true
            return files[String(included.prefix(while: { $0 != "." }))]
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
