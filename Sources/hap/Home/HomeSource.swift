import AccessoryFiles
import Documents
import HomeModel
import HomeRuntime

/// A home file on disk, read once.
struct HomeSource: Sendable {
    /// What tells when it is edited; `nil` when there is no file.
    let stamp: FileStamp?
    private let path: String
    private let result: Result<HomeDocument, DocumentError>

    /// Reads a file, if there is one.
    init(_ path: String) {
        self.path = path
        do throws(DocumentError) {
            let file = try RegularFile(path)
            stamp = file.stamp
            result = Result { () throws(DocumentError) in try HomeFile.read(file.bytes, name: path) }
        } catch {
            stamp = FileStamp(path: path)
            result = .failure(error)
        }
    }

    /// What it says.
    ///
    /// - Throws: ``CommandFailure`` with everything that is wrong in it.
    func document() throws(CommandFailure) -> HomeDocument {
        do throws(CommandFailure) {
            return try withCommandFailures(result.get)
        } catch {
            throw FileSubject.home.failure(for: path, error)
        }
    }

    /// The text of a file that says what a document does.
    ///
    /// - Throws: ``CommandFailure`` when it could not be read again, as when it is too large.
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
    /// The time zones that this machine does not know: their homes run in its own, and the rules of home files, which have
    /// no list of zones, cannot tell.
    func unknownTimeZones(in file: String) -> [Diagnostic] {
        homes.compactMap(\.timeZone).filter { !FoundationCalendar.isKnown($0.value) }
            .map { zone in
                Diagnostic(
                    .warning,
                    in: file,
                    at: zone.location?.position,
                    path: zone.location?.path ?? "",
                    "this machine knows no time zone \(zone.value), and takes its own; write one such as Europe/Berlin"
                )
            }
    }
}
