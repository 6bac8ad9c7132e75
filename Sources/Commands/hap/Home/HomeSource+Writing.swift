import AccessoryFiles
import Documents
import HomeModel
import Hosting

extension HomeSource {
    /// Returns the content of a home file for a document.
    ///
    /// - Throws: `DocumentError` when the result could not be read back, for example because it is too large.
    static func write(
        _ document: HomeDocument,
        as kind: AccessoryFileKind,
        to name: String
    ) throws(DocumentError) -> [UInt8] {
        let schema = OutputFile.schema(HomeFile.schemaName, nextTo: name)
        return try HomeFile.write(document, as: kind, name: name, schema: schema)
    }
}
