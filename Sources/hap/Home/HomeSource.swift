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
}
