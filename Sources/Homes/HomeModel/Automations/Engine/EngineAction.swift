/// An action that an engine requests from its owner.
package enum EngineAction: Sendable, Hashable {
    /// Write these values to their characteristics.
    case run(RunRequest)
    /// Store this entry in the journal.
    case journal(JournalEntry)
}
