import AccessoryFiles
import HomeModel

/// A home file on disk.
enum HomeSource {
    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure`` with everything that is wrong in it.
    static func read(_ path: String) throws(CommandFailure) -> HomeDocument {
        do throws(AccessoryFileError) {
            return try HomeFile.read(RegularFile(path).bytes, name: path)
        } catch {
            throw CommandFailure(error.findings)
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
        do throws(AccessoryFileError) {
            return try HomeFile.write(document, as: kind, name: name)
        } catch {
            throw CommandFailure(error.findings)
        }
    }
}
