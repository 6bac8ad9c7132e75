package import Documents
package import HomeModel

/// Entries of the journal of a home, the oldest first.
package struct JournalResource: Sendable {
    /// An entry with the home that has its automation.
    private struct Entry {
        let entry: StoredJournalEntry
        let home: HomeIndex

        var automation: String? { entry.automation.flatMap { home.automation($0) }?.name.text }
    }

    private let entries: [Entry]

    /// - Parameter home: The home with the names of the automations.
    package init(_ entries: [StoredJournalEntry], in home: HomeIndex) {
        self.entries = entries.map { Entry(entry: $0, home: home) }
    }

    package static let format = Format<JournalResource>(
        response: "Journal",
        .written("entries", \.entries, .list(of: entry), "The entries.")
    )

    private static let entry = Format<Entry>(
        response: "JournalEntry",
        .written("time", \.entry.instant.description, .string, "The time."),
        .written("kind", \.entry.kind, .string, "The kind of entry, such as ran."),
        .written("automation", \.automation, .string, "The name of the automation."),
        .written("message", \.entry.text, .string, "The entry in a sentence.")
    )
}
