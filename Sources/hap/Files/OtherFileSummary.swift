import AccessoryFiles
import ArgumentParser
import Documents
import Foundation
import HomeModel
import Simulation

/// What came of reading a file that is not served itself: what is in it when it is good, or everything that is wrong.
struct OtherFileSummary: Sendable {
    /// What is good about it, for a line; `nil` when something is wrong.
    let summary: String?
    let diagnostics: [Diagnostic]

    /// - Parameter subject: What it tells of; as an accessory it has nothing to say.
    init(_ path: String, _ subject: FileSubject) {
        do throws(CommandFailure) {
            summary =
                switch subject {
                case .accessory: nil
                case .scenario: try Self.scenario(path)
                case .home: try Self.home(path)
                case .configuration: try Self.configuration(path)
                }
            diagnostics = []
        } catch {
            summary = nil
            diagnostics =
                error.diagnostics.isEmpty
                ? [
                    Diagnostic(
                        .error,
                        in: path,
                        error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
                    )
                ]
                : error.diagnostics
        }
    }

    /// Reads a scenario with what it serves and the home beside it, and looks up everything that it names.
    private static func scenario(_ path: String) throws(CommandFailure) -> String {
        let source = try ScenarioSource(path)
        let served =
            source.files.isEmpty ? ServedAccessory.garages(1) : try ServedAccessory.load(source.files, nil).served
        try source.check(on: served, home: source.home)
        let count = source.scenario.steps.count
        return "a scenario with \(count) \(count == 1 ? "step" : "steps"); 'hap run \(path)' runs it"
    }

    private static func home(_ path: String) throws(CommandFailure) -> String {
        let count = try HomeSource(path).document().homes.count
        return
            "a home file with \(count) \(count == 1 ? "home" : "homes"); 'hap home import --dry-run \(path)' checks it "
            + "against what there is"
    }

    private static func configuration(_ path: String) throws(CommandFailure) -> String {
        guard let options = try? ServeOptions.parse(["--config", path]) else { return "a configuration" }
        _ = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        return "a configuration of 'hap serve'"
    }
}
