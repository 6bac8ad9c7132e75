/// What an engine wants done.
package enum EngineAction: Sendable, Hashable {
    /// Set these characteristics.
    case run(RunRequest)
    /// Keep this, and show it to who asks.
    case journal(JournalEntry)
}
