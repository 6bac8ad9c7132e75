import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Documents
import Glibc
import HomeModel
import HomeRuntime
import Hosting
import Storage

/// The command `hap home edit`, which opens a home, or one object of it, in an editor.
struct HomeEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a home, or one object of it, in $EDITOR, and print what has changed.",
        discussion: """
            The text is that of a home file: the whole file, or what it has under the name of the object; docs/homes.md \
            describes it. The text is not applied if it has errors or the home was changed in the meantime. Your text is \
            then kept in a file, and the command that applies it is printed.

            EXAMPLE
              hap home edit
              hap home edit automation "Light the Garage"
              hap home edit scene "Movie Time" --file movie.yaml --dry-run
            """
    )

    @Argument(help: "The kind of object. Default: the whole home.")
    var kind: HomeObjectKind?

    @Argument(help: .value("name", "Its name."), completion: HomeCompletion.named)
    var name: String?

    @Option(
        help: .value("file", "Apply this file instead of opening an editor; - is standard input."),
        completion: .file()
    )
    var file: String?

    @Flag(help: "Change nothing, and print what would change.")
    var dryRun = false

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        guard kind != .room else {
            throw ValidationError("A room has only a name, which 'hap home rename' changes.")
        }
        guard (kind == nil) == (name == nil) else {
            throw ValidationError("Write both the kind and the name, as in 'hap home edit automation Night'.")
        }
        guard kind == .home, let name else { return }
        try options.refuseHomeOption(because: "NAME is the home")
        options.homeName = name
        kind = nil
        self.name = nil
    }

    func run() async throws {
        let opened = try await options.withHome { home, selected in try await self.open(home, in: selected) }
        if let file {
            return try await save(try InputText.read(file), of: opened, from: file)
        }
        let draft = try TextDraft(opened.text, suffix: ".yaml")
        while true {
            do {
                try draft.edit()
                let text = try draft.read()
                guard text != opened.text else {
                    try options.report("Nothing was changed.")
                    return draft.remove()
                }
                try await save(text, of: opened, from: draft.path)
                return dryRun ? reportKept(draft) : draft.remove()
            } catch {
                let failure = CommandFailure(error)
                guard failure.code == .fileContent, Self.asksToEditAgain(after: failure) else {
                    reportKept(draft)
                    throw error
                }
            }
        }
    }

    /// Applies the text to the homes, unless it has errors or the home has changed since it was opened.
    private func edited(
        _ homes: Homes,
        by text: [UInt8],
        of opened: Opened,
        from path: String
    ) throws -> HomeObjectEdit {
        guard let home = homes.home(opened.home.id), HomeDescription(home) == HomeDescription(opened.home) else {
            throw CommandFailure.failed(
                "The home was changed in the meantime, so your text was not applied. Applying it now would undo that change."
            )
        }
        guard let kind, let name else {
            // Which automations of a served home are enabled is stored beside its file.
            return try HomeObjectEdit(
                try HomeFile.read(text, name: path),
                replacing: home,
                of: homes,
                keepsEnabled: opened.file != nil,
                file: path
            )
        }
        let named = try home.name(of: kind, named: name)
        return try HomeObjectEdit(.replace, kind, named: named, in: home, of: homes, content: text, file: path)
    }

    /// Says where the text is, and which command applies it.
    private func reportKept(_ draft: TextDraft) {
        guard draft.exists else { return }
        let object = [kind?.rawValue, name].compactMap { $0?.shellQuoted }
        let values = [("--file", draft.path), ("--home", options.homeName), ("--state", options.controller.state)]
        var words = ["hap home edit"] + object
        words += values.compactMap { option, value in value.map { "\(option) \($0.shellQuoted)" } }
        words += options.location.map { ["--\($0)"] } ?? []
        let command = words.joined(separator: " ")
        StandardError.write(
            "hap: Your text is in \(draft.path). To apply it, run: \(command)".escapingControlCharacters + "\n"
        )
    }

    /// The text in the editor, and the home that it describes.
    private struct Opened {
        let home: Home
        let text: [UInt8]
        /// The file that is edited as a whole, if the home is served.
        let file: ServedHomeFile.Content?
    }

    private func open(_ home: Home, in selected: SelectedHomes) async throws -> Opened {
        guard let kind, let name else {
            if let file = try await selected.runningFile(of: home) {
                return Opened(home: home, text: Array(file.text.utf8), file: file)
            }
            let document = HomeDocument(Homes(homes: [home], primary: home.id))
            return Opened(home: home, text: try HomeFile.write(document, schema: nil), file: nil)
        }
        let text = try HomeObjectEdit.content(of: kind, named: home.name(of: kind, named: name), in: home)
        return Opened(home: home, text: text, file: nil)
    }

    /// Applies the text unless it has errors or the home has changed since it was opened.
    private func save(_ text: [UInt8], of opened: Opened, from path: String) async throws {
        try await options.withHomes { selected in
            let homes = try await selected.store.homes().homes
            let edited = try edited(homes, by: text, of: opened, from: path)
            if !dryRun {
                if let file = opened.file {
                    try await selected.replace(file, of: opened.home, with: String(decoding: text, as: UTF8.self))
                } else {
                    try await selected.replace(homes, with: edited.homes)
                }
            }
            try options.report(edited, isDryRun: dryRun)
        }
    }

    /// Prints the errors and asks whether to edit again.
    ///
    /// Returns `false` if standard input is not a terminal.
    private static func asksToEditAgain(after failure: CommandFailure) -> Bool {
        guard isatty(CommandContext.current.input) != 0 else { return false }
        StandardError.write("\(failure.message)\nEdit the text again? [Y/n] ")
        guard let answer = readLine() else { return false }
        return !answer.lowercased().hasPrefix("n")
    }
}
