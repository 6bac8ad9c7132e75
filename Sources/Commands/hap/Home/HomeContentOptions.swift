import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Documents
import HomeModel
import HomeRuntime
import Hosting

/// The content of an object in the notation of home files, as an argument or from a file.
struct HomeContentOptions: ParsableArguments {
    @Argument(
        help: .value("content", "The content of the object, as in a home file."),
        completion: HomeCompletion.objects
    )
    var content: [String] = []

    @Option(help: .value("file", "Read the content from a file; - is standard input."), completion: .file())
    var file: String?

    @Flag(help: "Change nothing, and print what would change.")
    var dryRun = false

    func validate() throws {
        guard content.isEmpty || file == nil else {
            throw ValidationError("Give the content as an argument or with --file, not both.")
        }
    }

    /// The name of the content in messages.
    var source: String { file.map { $0 == "-" ? "standard input" : $0 } ?? "content" }

    /// Returns the content, or `nil` if none is given.
    ///
    /// - Parameter isList: Whether several words, or one without brackets, are the elements of a list.
    /// - Throws: ``CommandFailure`` if there is more than one content, or `DocumentError` if the file cannot be read.
    func text(isList: Bool) throws -> [UInt8]? {
        if let file { return try InputText.read(file) }
        guard let first = content.first else { return nil }
        if isList, content.count > 1 || !first.hasPrefix("[") {
            return Array("[\(content.map { QuotedText.write($0, as: .yaml) }.joined(separator: ", "))]".utf8)
        }
        guard content.count == 1 else {
            throw CommandFailure.usage("The content is one argument; put it in quotes, such as '{ run: [Reading] }'.")
        }
        return Array(first.utf8)
    }

    /// Edits the homes, and prints what has changed.
    ///
    /// - Parameters:
    ///   - added: A description of the added object, such as "the room Kitchen", or `nil` for a change.
    ///   - edit: Creates the edit from the stored homes.
    func perform(
        _ options: HomeOptions,
        in selected: SelectedHomes,
        adding added: String? = nil,
        _ edit: (Homes) throws -> HomeObjectEdit
    ) async throws {
        let edited = try await selected.update(isDryRun: dryRun) { homes in
            do {
                let edited = try edit(homes)
                return (edited.homes, edited)
            } catch let error as DocumentError where file == nil {
                let reasons = error.diagnostics.map(\.pathAndReason).joined(separator: "; ")
                throw CommandFailure.usage("\(reasons.escapingControlCharacters).".replacing("?.", with: "?"))
            }
        }
        try options.report(edited, adding: added, isDryRun: dryRun)
    }
}

extension HomeOptions {
    /// Prints what an edit has changed, or would change.
    ///
    /// - Parameter added: What is added, such as "the room Kitchen", or `nil` for a change.
    func report(_ edited: HomeObjectEdit, adding added: String? = nil, isDryRun: Bool) throws {
        StandardError.write(edited.warnings.map { "\($0.line.escapingControlCharacters)\n" }.joined())
        let zones = Set(edited.homes.homes.compactMap(\.timeZone)).filter { !FoundationCalendar.isKnown($0) }
        for zone in zones.sorted() {
            StandardError.write(
                "hap: This machine does not know the time zone \(zone.escapingControlCharacters), and uses its own.\n"
            )
        }
        var lines = edited.changes.map(\.text)
        if let added {
            lines.removeAll { $0 == "\(added.prefix(1).uppercased() + added.dropFirst()) is new." }
            lines.insert(isDryRun ? "This would add \(added)." : "Added \(added).", at: 0)
        }
        if lines.isEmpty { lines = ["The content is the same as before."] }
        if isDryRun { lines.append("Nothing was changed: this was a dry run.") }
        try report(lines[0], Array(lines.dropFirst()))
    }
}

extension HomeObjectKind: ExpressibleByArgument {}
