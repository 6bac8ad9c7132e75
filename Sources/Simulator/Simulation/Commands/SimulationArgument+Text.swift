internal import Documents

extension SimulationArgument {
    /// Creates an argument from text in the form that scenarios use.
    ///
    /// - Throws: ``SimulationError`` with the accepted values.
    private init(_ text: String, of parameter: SimulationParameter) throws(SimulationError) {
        guard text.utf8.count <= 256 else {
            throw SimulationError(
                .invalidValue,
                "The value of \(parameter.name) is too long.",
                "The parameter means: \(parameter.summary)"
            )
        }
        let root = DocumentNode(
            position: TextPosition(line: 1, column: 1),
            content: .scalar(DocumentScalar(plain: text))
        )
        var reader = DocumentReader()
        let argument = Format.argument(parameter).read(DocumentField(file: "", node: root), &reader)
        if let argument, !reader.diagnostics.hasErrors {
            self = argument
            return
        }
        let reason = reader.diagnostics.ordered.first?.reason ?? "it is not a value"
        throw SimulationError(
            .invalidValue,
            "Parameter \(parameter.name): \(reason).",
            "The parameter means: \(parameter.summary)"
        )
    }

    /// Creates an argument of a fault from text, by the name of its parameter.
    ///
    /// - Throws: ``SimulationError`` with the names of the parameters, or with the accepted values.
    package init(_ text: String, of name: String, for definition: FaultDefinition) throws(SimulationError) {
        guard let parameter = definition.parameters.first(where: { $0.name == name }) else {
            let names = definition.parameters.map(\.name)
            throw SimulationError(
                .unknownName,
                "\(definition.name) has no parameter \"\(name.prefix(100))\".",
                names.isEmpty ? "It has none." : "It has: \(names.joined(separator: ", "))."
            )
        }
        self = try SimulationArgument(text, of: parameter)
    }
}
