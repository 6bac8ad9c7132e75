import AccessoryFiles
import ArgumentParser
import Documents
import HomeModel
import Hosting
import Simulation

/// The result of checking a file that is not served itself: a summary of its contents, or its errors.
struct OtherFileSummary: Sendable {
    /// The summary of a valid file, or `nil` if the file has errors.
    let summary: String?
    let diagnostics: [Diagnostic]

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - subject: The subject of the file. For an accessory there is no summary.
    init(_ path: String, _ subject: FileSubject) {
        do {
            (summary, diagnostics) =
                switch subject {
                case .accessory: (nil, [])
                case .scenario: try (Self.scenario(path), [])
                case .home: try Self.home(path)
                case .configuration: try (Self.configuration(path), [])
                }
        } catch {
            summary = nil
            let failure = CommandFailure(error)
            let message = failure.message
            let reason = message.hasSuffix(".") ? String(message.dropLast()) : message
            diagnostics =
                failure.diagnostics.isEmpty ? [Diagnostic(.error, in: path, reason)] : failure.diagnostics
        }
    }

    /// Reads a scenario with the files that it serves and its home, and resolves all names in it.
    private static func scenario(_ path: String) throws -> String {
        let source = try ScenarioSource(NamedFile(path))
        let home = source.home.map { HomeSource($0) }
        let served = try HostedContent.load(source.files, home: home, nil, allowsCommands: true).served
        _ = try source.check(on: served, home: home)
        return "a scenario with \(counted(source.scenario.steps.count, "step")); 'hap run \(path)' runs it"
    }

    /// Reads a home file with the definitions that it names.
    private static func home(_ path: String) throws -> (String, [Diagnostic]) {
        let homes = try HomeSource(NamedFile(path)).document().homes
        var warnings: [Diagnostic] = []
        for home in homes {
            warnings +=
                try HostedContent.load(
                    [],
                    definitions: home.definitions(in: path),
                    nil,
                    allowsCommands: true
                )
                .warnings
        }
        let summary =
            "a home file with \(counted(homes.count, "home")); 'hap home import --dry-run \(path)' compares it with the "
            + "stored homes"
        return (summary, warnings)
    }

    private static func configuration(_ path: String) throws -> String {
        guard let options = try? ServeOptions.parse(["--config", path]) else { return "a configuration" }
        _ = try ServeSettings(options, environment: CommandContext.current.environment)
        return "a configuration of 'hap serve'"
    }
}
