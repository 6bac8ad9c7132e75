package import Documents
internal import HomeModel
package import Simulation
internal import YAMLDocuments

/// Reads the content of scenario files; it does not open files.
///
/// The format is documented in `docs/scenarios.md` and declared in Simulation.
package enum ScenarioFile {
    /// Reads a scenario in YAML or JSON, and reports all errors at once.
    ///
    /// - Parameters:
    ///   - bytes: The content; 1 MiB at most.
    ///   - name: The name of the file, for messages.
    /// - Throws: ``DocumentError`` with all errors and their lines.
    package static func read(_ bytes: [UInt8], name: String) throws(DocumentError) -> Scenario {
        let format = Format.scenarioFile { CivilDateTime($0) != nil }
        let scenario = try TextDocument.read(format, from: bytes, in: name, firstKey: "scenario")
        let errors = ScenarioValidator.errors(in: scenario)
        guard errors.isEmpty else { throw DocumentError(diagnostics(for: errors, in: name)) }
        return scenario
    }

    /// Reads a duration such as `12s` or `2d 7h 30min`; returns `nil` for any other text.
    package static func duration(_ text: String) -> Duration? {
        DurationText.readSum(text)
    }

    /// Returns whether a file is a scenario, possibly with errors, so that messages may quote it.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        DocumentText.hasKey(among: ["scenario"], in: bytes)
    }

    /// Reads an argument in the form that scenarios use.
    ///
    /// - Throws: ``SimulationError`` with the accepted values.
    package static func argument(
        _ text: String,
        of parameter: SimulationParameter
    ) throws(SimulationError) -> SimulationArgument {
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
        if let argument, !reader.diagnostics.hasErrors { return argument }
        let reason = reader.diagnostics.ordered.first?.reason ?? "it is not a value"
        throw SimulationError(
            .invalidValue,
            "Parameter \(parameter.name): \(reason).",
            "The parameter means: \(parameter.summary)"
        )
    }

    /// Reads an argument of a fault by the name of its parameter.
    ///
    /// - Throws: ``SimulationError`` with the names of the parameters, or with the accepted values.
    package static func argument(
        _ text: String,
        of name: String,
        for definition: FaultDefinition
    ) throws(SimulationError) -> SimulationArgument {
        guard let parameter = definition.parameters.first(where: { $0.name == name }) else {
            let names = definition.parameters.map(\.name)
            throw SimulationError(
                .unknownName,
                "\(definition.name) has no parameter \"\(name.prefix(100))\".",
                names.isEmpty ? "It has none." : "It has: \(names.joined(separator: ", "))."
            )
        }
        return try argument(text, of: parameter)
    }

    /// Returns the errors of a scenario as diagnostics of its file.
    package static func diagnostics(for errors: [ScenarioError], in file: String) -> [Diagnostic] {
        errors.map { error in
            Diagnostic(
                .error,
                in: file,
                at: error.location?.position,
                path: error.location?.path ?? "",
                error.error.diagnosticText
            )
        }
    }
}

extension SimulationError {
    /// The error and its fix, in a sentence without its full stop.
    fileprivate var diagnosticText: String {
        let starts = ["A ", "The ", "There ", "No ", "Time ", "Nothing ", "These ", "It "]
        var reason = reason
        if starts.contains(where: reason.hasPrefix) {
            reason = reason.prefix(1).lowercased() + reason.dropFirst()
        }
        let text = "\(reason.withoutPeriod); \(remedy.prefix(1).lowercased() + remedy.dropFirst().withoutPeriod)"
        return text
    }
}

extension StringProtocol {
    fileprivate var withoutPeriod: String {
        hasSuffix(".") ? String(dropLast()) : String(self)
    }
}
