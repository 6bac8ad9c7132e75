/// What came of keeping a pairing under another alias.
public enum RenamingOutcome: Sendable, Hashable {
    /// It is on disk.
    case renamed
    /// The alias belongs to another accessory; nothing was changed.
    case aliasTaken
    /// There is no such pairing any more; nothing was changed.
    case gone
}
