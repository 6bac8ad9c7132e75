/// Renders the named constants of the types.
struct TypeRenderer {
    /// `CharacteristicType` or `ServiceType`.
    let typeName: String
    /// The input file.
    let source: String

    /// The file of constants; throws ``CatalogueError`` when two ids have one Swift name.
    func file(_ types: [(name: String, id: String, uuid: String)]) throws -> RenderedFile {
        var names: Set<String> = []
        var body = "extension \(typeName) {\n"
        var needsUUID = false
        for type in types.sorted(by: { $0.id < $1.id }) {
            let location = "\(typeName) \(type.id)"
            let literal = try TypeLiteral(uuid: type.uuid, at: location)
            let name = SwiftName.lowerCamel(type.id)
            guard names.insert(name).inserted else {
                throw CatalogueError(.duplicate, "the Swift name \(name) is taken", at: location)
            }
            needsUUID = needsUUID || literal.short == nil
            body += "    /// \(type.name).\n"
            body += "    public static let \(SwiftName.declaration(name)) = \(typeName)(\(literal.arguments))\n"
        }
        body += "}\n"
        return RenderedFile(
            name: "\(typeName)+Catalogue.swift",
            source: source,
            imports: needsUUID ? ["HAPCore"] : [],
            body: body
        )
    }
}
