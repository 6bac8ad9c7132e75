internal import Documents
internal import Hosting
internal import Resources

/// The file of a served home, as the API shows it.
struct HomeFileResource: Sendable {
    let content: ServedHomeFile.Content

    init(_ content: ServedHomeFile.Content) {
        self.content = content
    }

    static let format = Format<HomeFileResource>(
        response: "HomeFile",
        .written("path", \.content.path, .string, "The path of the file, as it was given to 'hap serve --home'."),
        .written("text", \.content.text, .string, "The content: YAML or JSON."),
        .written("revision", \.content.revision, .string, "A hash of the content.")
    )
}
