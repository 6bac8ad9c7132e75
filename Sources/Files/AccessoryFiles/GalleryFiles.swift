internal import CGalleryFiles

/// The definitions of the folder Accessories, which are part of the program.
package enum GalleryFiles {
    /// The contents of the files by their names without extension, such as `garage`.
    package static let all: [String: [UInt8]] = Dictionary(
        uniqueKeysWithValues: (0..<gallery_file_count())
            .map { index in
                let file = gallery_file(index)
                let content = UnsafeBufferPointer(start: file.content, count: file.size)
                return (String(cString: file.name), Array(content))
            }
    )

    /// Returns the content of a file that another one of the gallery includes, or `nil` if it does not exist.
    package static func included(_ name: String) -> [UInt8]? { all[String(name.prefix { $0 != "." })] }
}
