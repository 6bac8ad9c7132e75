package import Documents

/// The path of a file to read, and who names it.
package struct NamedFile: Sendable, Hashable {
    /// Who names a file.
    package enum Origin: Sendable, Hashable {
        /// The user, on the command line.
        case user
        /// Another file, such as a home file, a scenario or a configuration. It may come from someone else, and name a
        /// file with secrets.
        case file
    }

    package let path: String
    package let origin: Origin

    package init(_ path: String, namedBy origin: Origin = .user) {
        self.path = path
        self.origin = origin
    }

    /// Returns the errors of the file, or a single one that quotes nothing from it.
    ///
    /// - Parameters:
    ///   - error: The errors, which may quote the file.
    ///   - name: The name of the file in messages.
    ///   - subject: What the file should be.
    ///   - bytes: The content; empty if it could not be read.
    package func showable(
        _ error: DocumentError,
        in name: String,
        _ subject: FileSubject,
        _ bytes: [UInt8]
    ) -> DocumentError {
        guard origin == .file, !bytes.isEmpty, !subject.recognizes(bytes) else { return error }
        return DocumentError(in: name, subject.unrecognizedReason(path))
    }
}
