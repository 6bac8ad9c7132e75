/// Renders a service type as an element of the tables.
struct ServiceRenderer {
    let entry: ServiceEntry

    /// The element.
    func expression() -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [
            .init("name", .string(entry.name)),
            .init("id", .string(entry.id)),
        ]
        if let aliases = entry.aliases, !aliases.isEmpty {
            arguments.append(.init("aliases", .array(aliases.map(SwiftExpression.string))))
        }
        arguments.append(.init("type", .text(".\(SwiftName.lowerCamel(entry.id))")))
        arguments.append(.init("required", references(entry.required)))
        arguments.append(.init("optional", references(entry.optional)))
        return .call("ServiceDefinition", arguments)
    }

    private func references(_ references: [ServiceEntry.Reference]) -> SwiftExpression {
        .array(references.map { .text(".\(SwiftName.lowerCamel($0.id))") })
    }
}
