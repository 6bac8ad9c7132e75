import AccessoryFiles
import ArgumentParser
import Documents
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting

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

    @Argument(help: ArgumentHelp("The file, YAML or JSON.", valueName: "file"), completion: .file())
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
            var homes = try await store.homes().homes
            let before = homes
            let merge = HomeMerge(document, into: homes, known: known, extent: replace ? .complete : .partial)
            let diagnostics = HomeFile.diagnostics(of: merge, in: file) + document.unknownTimeZones(in: file)
            guard merge.errors.isEmpty else {
                // The errors may concern objects of accessories that did not answer, so these are listed, too.
                if !options.json {
                    StandardError.write(silent.map { "\($0.escapingControlCharacters)\n" }.joined())
                }
                throw CommandFailure(diagnostics)
            }
            homes = merge.homes
            if !dryRun {
                try await store.updateAndWarn { [homes] stored throws(HomeError) in
                    guard stored == before else {
                        throw HomeError(
                            .wrongHome,
                            at: "",
                            "Another program has changed the homes in the meantime.",
                            remedy: "Import the file again."
                        )
                    }
                    stored = homes
                }
            }
            try report(merge, diagnostics, unanswered: silent)
        }
    }

    /// Returns sentences about accessories that are not found yet, and about what depends on them.
    private func pendingText(_ merge: HomeMerge) -> [String] {
        var lines: [String] = []
        switch merge.missing.count {
        case 0: break
        case 1: lines.append("1 accessory is not found yet.")
        case let count: lines.append("\(count) accessories are not found yet.")
        }
        switch merge.pending.count {
        case 0: break
        case 1: lines.append("1 part of the file waits for this; import the file again when every accessory is found.")
        case let count:
            lines.append(
                "\(count) parts of the file wait for this; import the file again when every accessory is found."
            )
        }
        return lines
    }

    private func report(
        _ merge: HomeMerge,
        _ diagnostics: [Diagnostic],
        unanswered: [String]
    ) throws(CommandFailure) {
        if !options.json {
            let lines = unanswered + diagnostics.map(\.line)
            StandardError.write(lines.map { "\($0.escapingControlCharacters)\n" }.joined())
        }
        var lines = merge.changes.map(\.description)
        if lines.isEmpty { lines = ["No changes."] }
        lines += pendingText(merge)
        if dryRun { lines.append("Nothing was changed: this was a dry run.") }
        try options.controller.write(lines.map { "\($0.escapingControlCharacters)\n" }.joined()) { writer in
            writer.member("changes", merge.changes.map(\.description))
            let findings = unanswered.map(ImportDiagnostic.unanswered) + diagnostics.map(ImportDiagnostic.file)
            writer.list("diagnostics", findings) { finding, writer in
                switch finding {
                case .unanswered(let message):
                    writer.members(ofErrorWithCode: CommandFailure.Code.unavailable.name, message)
                case .file(let diagnostic): writer.members(of: diagnostic)
                }
            }
            writer.member("dryRun", dryRun)
        }
    }
}

/// A diagnostic of an import: an accessory that did not answer, or a diagnostic about the file.
private enum ImportDiagnostic {
    case unanswered(String)
    case file(Diagnostic)
}
