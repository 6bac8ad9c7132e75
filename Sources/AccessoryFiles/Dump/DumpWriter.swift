internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Writes what a server of these accessories would answer to its first `GET /accessories`: a JSON object with the array
/// of accessories.
enum DumpWriter {
    /// Writes a document, with what a dump cannot say of it.
    ///
    /// Objects without ids get those that a server would give them at its first start.
    ///
    /// - Throws: ``DocumentError`` when a server would not take the accessories, or the file would be too large.
    static func write(
        _ document: AccessoryDocument,
        name: String
    ) throws(DocumentError) -> (bytes: [UInt8], losses: [Diagnostic]) {
        let bytes = DumpText.text(of: try accessories(of: document, name: name))
        guard bytes.count <= AccessoryFile.maximumSize else {
            throw DocumentError(
                in: name,
                "it would have \(bytes.count) bytes; the most that is read are \(AccessoryFile.maximumSize)"
            )
        }
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
            else { preconditionFailure("a server answers with a list of accessories") }
            return accessories
        } catch {
            throw DocumentError(in: name, path: error.path, error.reason)
        }
    }
}
