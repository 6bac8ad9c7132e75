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

    /// Returns whether a file is a scenario, possibly with errors, so that messages may quote it.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        DocumentText.hasKey(among: ["scenario"], in: bytes)
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
