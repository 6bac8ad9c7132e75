package import AccessoryFiles
package import Documents
internal import HAPCore

/// The name of a file in the folder of definitions.
///
/// Names are compared as bytes, as file systems do: two files can have names that are equal according to Unicode.
package struct DefinitionFileName: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { text }

    package static func == (left: DefinitionFileName, right: DefinitionFileName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package static func < (left: DefinitionFileName, right: DefinitionFileName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(text.utf8.count)
    }
}

/// A request to write a file of the folder.
package struct DefinitionSave: Sendable {
    package var name: DefinitionFileName
    package var content: DefinitionContent
    /// The revision that the author has seen; `nil` for a new file.
    package var revision: String?
    /// Whether the former file remains under another name.
    package var keepsCopy: Bool

    package init(
        name: DefinitionFileName,
        content: DefinitionContent,
        revision: String?,
        keepsCopy: Bool = false
    ) {
        self.name = name
        self.content = content
        self.revision = revision
        self.keepsCopy = keepsCopy
    }
}

/// The content of a definition in a request: a text, or the values that are written as a text.
package enum DefinitionContent: Sendable {
    case text(String)
    case values(DocumentTree)
}

/// A file of the folder as it is on disk.
package struct DefinitionFile: Sendable {
    /// The name without the folder.
    package var name: DefinitionFileName
    package var bytes: [UInt8]
    /// The content, or the errors because of which it is not served; the names of files are relative to the folder.
    package var reading: Result<AccessoryFileContents, DocumentError>
    /// The key of the file's server, or `nil` if the file is not served.
    package var server: String?

    package init(
        name: DefinitionFileName,
        bytes: [UInt8],
        reading: Result<AccessoryFileContents, DocumentError>,
        server: String? = nil
    ) {
        self.name = name
        self.bytes = bytes
        self.reading = reading
        self.server = server
    }

    /// A hash of the content.
    package var revision: String { Self.revision(of: bytes) }

    /// Returns the hash of a content.
    package static func revision(of bytes: [UInt8]) -> String {
        SHA512.hash(bytes).prefix(16).map(\.paddedHexadecimal).joined()
    }
}

/// The reason why the folder cannot do something.
package enum DefinitionFolderError: Error, Sendable {
    /// The name cannot be that of a file in the folder; the text says why.
    case invalidName(String)
    case unknownFile(DefinitionFileName)
    /// A new file was to be saved, but the name is in use.
    case exists(name: DefinitionFileName, revision: String)
    /// The file on disk is not the one that the author has seen; its revision is `nil` if it does not exist.
    case changed(name: DefinitionFileName, revision: String?)
    /// The content has errors, in the file itself or in one that it includes.
    case invalid(name: DefinitionFileName, [Diagnostic])
    /// The folder or the process does not permit it; the sentence says why, and what to do.
    case refused(String)
    /// The file could not be read or written, or the server could not start; if the file was saved nevertheless, with
    /// its revision.
    case failed(String, revision: String? = nil)
}
