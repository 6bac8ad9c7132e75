internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Writes dumps: the response of a server to its first `GET /accessories`.
///
/// The response is a JSON object with the array of accessories.
enum DumpWriter {
    /// Writes a document; returns the bytes, and a warning for everything that a dump cannot contain.
    ///
    /// Objects without ids get the ids that a server would assign at its first start.
    ///
    /// - Throws: ``DocumentError`` if a server would not accept the accessories, or if the file would be too large.
    static func write(
        _ document: AccessoryDocument,
        name: String
    ) throws(DocumentError) -> (bytes: [UInt8], losses: [Diagnostic]) {
        let bytes = DumpText.text(of: try accessories(of: document, name: name))
        try AccessoryFile.checkSize(ofWritten: bytes, name: name)
        let stored = try DumpReader.read(bytes, name: name).document
        return (bytes, DocumentDifference.differences(from: document.asServed(like: stored), to: stored, in: name))
    }

    private static func accessories(
        of document: AccessoryDocument,
        name: String
    ) throws(DocumentError) -> [JSONValue] {
        var identifiers = IdentifierMap()
        do throws(ModelError) {
            var database = try AttributeDatabase(
                document.makeAccessories(isSimulated: false),
                identifiers: &identifiers,
                isVerbatim: document.isVerbatim
            )
            let body = database.accessoriesBody(isAdmin: true)
            let limits = JSONLimits(maximumValues: .max)
            guard let root = try? JSONValue(parsing: body, limits: limits),
                let accessories = root.object?["accessories"]?.array
            else { preconditionFailure("a server responds with a list of accessories") }
            return accessories
        } catch {
            throw DocumentError(in: name, path: error.path, error.reason)
        }
    }
}
