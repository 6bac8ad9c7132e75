import AccessoryFiles
import Documents
import HomeModel
import HomeRuntime

/// A home file that has been read once.
struct HomeSource: Sendable {
    /// The file that was read.
    let file: NamedFile
    /// The stamp that shows later edits of the file, or `nil` if there is no file.
    let stamp: FileStamp?
    private let result: Result<HomeDocument, DocumentError>

    /// Reads a file.
    ///
    /// Errors are stored until ``document()`` is called.
    init(_ file: NamedFile) {
        let path = file.path
        self.file = file
        do throws(DocumentError) {
            let content = try RegularFile(path)
            stamp = content.stamp
            result = Result { () throws(DocumentError) in try HomeFile.read(content.bytes, name: path) }
                .mapError { file.showable($0, in: path, .home, content.bytes) }
        } catch {
            stamp = FileStamp(path: path)
            result = .failure(error)
        }
    }

    /// Returns the document in the file.
    ///
    /// - Throws: ``CommandFailure`` with all errors of the file.
    func document() throws(CommandFailure) -> HomeDocument {
        do throws(CommandFailure) {
            return try withCommandFailures(result.get)
        } catch {
            throw FileSubject.home.failure(for: file.path, error)
        }
    }

    /// Returns the content of a home file for a document.
    ///
    /// - Throws: ``CommandFailure`` when the result could not be read back, for example because it is too large.
    static func write(
        _ document: HomeDocument,
        as kind: AccessoryFileKind,
        to name: String
    ) throws(CommandFailure) -> [UInt8] {
        let schema = OutputFile.schema(HomeFile.schemaName, nextTo: name)
        return try withCommandFailures { try HomeFile.write(document, as: kind, name: name, schema: schema) }
    }
}

extension HomeDocument {
    /// Returns warnings about time zones that this machine does not know.
    ///
    /// The homes run in the machine's time zone instead. The validation of home files cannot report this, because it
    /// has no list of time zones.
    func unknownTimeZones(in file: String) -> [Diagnostic] {
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
