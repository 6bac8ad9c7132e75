internal import AccessoryFiles
package import Documents
package import HomeModel
internal import HomeRuntime

/// A home file that has been read once.
package struct HomeSource: Sendable {
    /// The file that was read.
    package let file: NamedFile
    /// The stamp that shows later edits of the file, or `nil` if there is no file.
    package let stamp: FileStamp?
    /// The hash of the content, or `nil` if the file could not be read.
    let revision: String?
    private let result: Result<HomeDocument, DocumentError>

    /// Reads a file.
    ///
    /// Errors are stored until ``document()`` is called.
    package init(_ file: NamedFile) {
        let path = file.path
        self.file = file
        do throws(DocumentError) {
            let content = try RegularFile(path)
            stamp = content.stamp
            revision = DefinitionFile.revision(of: content.bytes)
            result = Result { () throws(DocumentError) in try HomeFile.read(content.bytes, name: path) }
                .mapError { file.showable($0, in: path, .home, content.bytes) }
        } catch {
            stamp = FileStamp(path: path)
            revision = nil
            result = .failure(error)
        }
    }

    /// Returns the document in the file.
    ///
    /// - Throws: ``HostError`` with all errors of the file.
    package func document() throws(HostError) -> HomeDocument {
        do throws(HostError) {
            return try result.hosted.get()
        } catch {
            throw FileSubject.home.failure(for: file.path, error)
        }
    }
}

extension HomeDocument {
    /// Returns warnings about time zones that this machine does not know.
    ///
    /// The homes run in the machine's time zone instead. The validation of home files cannot report this, because it
    /// has no list of time zones.
    package func unknownTimeZones(in file: String) -> [Diagnostic] {
        homes.compactMap(\.timeZone).filter { !FoundationCalendar.isKnown($0.value) }
            .map { zone in
                Diagnostic(
                    .warning,
                    in: file,
                    at: zone.location?.position,
                    path: zone.location?.path ?? "",
                    "this machine does not know the time zone \(zone.value), and uses its own; write one such as "
                        + "Europe/Berlin"
                )
            }
    }
}
