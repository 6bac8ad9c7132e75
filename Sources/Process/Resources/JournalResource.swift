package import Documents
package import HomeModel

/// Entries of the journal of a home, the oldest first.
package struct JournalResource: Sendable {
    private let entries: [StoredJournalEntry]

    package init(_ entries: [StoredJournalEntry]) {
        self.entries = entries
    }

    /// - Parameter home: The home with the names of the automations, or `nil` for the schema alone.
    package static func format(in home: HomeIndex?) -> Format<JournalResource> {
        .response("Journal", [.written("entries", \.entries, .list(of: entry(in: home)), "The entries.")])
    }

    private static func entry(in home: HomeIndex?) -> Format<StoredJournalEntry> {
        .response(
            "JournalEntry",
            [
                .written("time", \.instant.description, .string, "The time."),
                .written("kind", \.kind, .string, "The kind of entry, such as ran."),
                .custom(
                    "automation",
                    "The name of the automation.",
                    schema: Format<String>.string.schema,
                    write: { entry, _ in
                        entry.automation.flatMap { home?.automation($0)?.name.text }.map(DocumentTree.text)
                    }
                ),
                .written("message", \.text, .string, "The entry in a sentence."),
            ]
        )
    }
}
