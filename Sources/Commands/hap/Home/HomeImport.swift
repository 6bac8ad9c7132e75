import AccessoryFiles
import ArgumentParser
import Documents
import HAPController
import HomeModel
import HomeRuntime
import Hosting
import Resources

/// The command `hap home import`, which merges a home file into the stored homes.
struct HomeImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a home file, and print the changes.",
        discussion: """
            The objects in the file are added or changed, and all other objects stay. An accessory that is not paired \
            is stored with its name until it is found: import the file again then. If the file has an error, nothing \
            changes.

            EXAMPLE
              hap home import Config/home.yaml --dry-run
              hap home import Config/home.yaml
            """
    )

    @Argument(help: .value("file", "The file, YAML or JSON."), completion: .file())
    var file: String

    @Flag(help: "Change nothing, and print what would change.")
    var dryRun = false

    @Flag(help: "Remove all objects from the homes of the file that the file does not name.")
    var replace = false

    @OptionGroup var controller: ControllerOptions

    private var options: HomeOptions { HomeOptions(controller) }

    func run() async throws {
        let document = try HomeSource(NamedFile(file)).document()
        let servers = try await options.controller.withController { controller in
            await NetworkBackend(controller).servers()
        }
        let known = KnownAccessory.all(of: servers)
        let silent = servers.compactMap { server in
            server.failure.map { "\(server.alias) could not be read: \($0)" }
        }
        try await options.withStore { store in
            let before = try await store.homes().homes
            let merge = HomeMerge(document, into: before, known: known, extent: replace ? .complete : .partial)
            let diagnostics = HomeFile.diagnostics(of: merge, in: file) + document.unknownTimeZones(in: file)
            guard merge.errors.isEmpty else {
                // The errors may concern objects of accessories that did not answer, so these are listed, too.
                if !options.json {
                    StandardError.write(silent.map { "\($0.escapingControlCharacters)\n" }.joined())
                }
                throw CommandFailure(diagnostics)
            }
            if !dryRun {
                try await SelectedHomes(location: .stored, store: store, controller: controller)
                    .replace(before, with: merge.homes)
            }
            try report(merge, diagnostics, unanswered: silent)
        }
    }

    /// Returns sentences about accessories that are not found yet, and about what depends on them.
    private func pendingText(_ merge: HomeMerge) -> [String] {
        var lines: [String] = []
        if !merge.missing.isEmpty {
            lines.append("\(counted(merge.missing.count, "accessory is", plural: "accessories are")) not found yet.")
        }
        if !merge.pending.isEmpty {
            let waiting = counted(merge.pending.count, "part of the file waits", plural: "parts of the file wait")
            lines.append("\(waiting) for this; import the file again when every accessory is found.")
        }
        return lines
    }

    private func report(
        _ merge: HomeMerge,
        _ diagnostics: [Diagnostic],
        unanswered: [String]
    ) throws {
        if !options.json {
            let lines = unanswered + diagnostics.map(\.line)
            StandardError.write(lines.map { "\($0.escapingControlCharacters)\n" }.joined())
        }
        var lines = merge.changes.map(\.description)
        if lines.isEmpty { lines = ["No changes."] }
        lines += pendingText(merge)
        if dryRun { lines.append("Nothing was changed: this was a dry run.") }
        let silent = unanswered.map { DiagnosticResource(.unavailable, $0) }
        let resource = ImportResource(
            changes: merge.changes.map(\.description),
            diagnostics: silent + diagnostics.map { DiagnosticResource($0) },
            isDryRun: dryRun
        )
        try options.controller.write(
            lines.map { "\($0.escapingControlCharacters)\n" }.joined(),
            resource,
            ImportResource.format
        )
    }
}

/// The result of an import.
struct ImportResource: Sendable {
    var changes: [String]
    var diagnostics: [DiagnosticResource]
    var isDryRun: Bool

    static let format = Format<ImportResource>(
        response: "HomeImport",
        .written("changes", \.changes, .list(of: .string), "The changes, in sentences."),
        .written(
            "diagnostics",
            \.diagnostics,
            .list(of: DiagnosticResource.format),
            "The warnings about the file, and the accessories that did not answer."
        ),
        .written("dryRun", \.isDryRun, .boolean, "Whether nothing was changed.")
    )
}
