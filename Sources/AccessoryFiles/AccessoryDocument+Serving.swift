package import AccessoryModel

extension AccessoryDocument {
    /// What keeps a server from serving it; nothing when it can be served.
    package var servingFaults: [ModelError] {
        let accessories = declaration(isSimulated: false)
        let faults = isVerbatim ? [] : AccessoryValidation.faults(in: accessories)
        guard faults.isEmpty else { return faults }
        var identifiers = IdentifierMap()
        do throws(ModelError) {
            _ = try AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: isVerbatim)
            return []
        } catch {
            return [error]
        }
    }
}
