/// What came of keeping a pairing.
public enum KeepingOutcome: Sendable, Hashable {
    /// It is on disk.
    case kept
    /// The alias belongs to another accessory; nothing was changed.
    case aliasTaken
    /// The accessory's identifier is kept with another long-term key, under this alias; nothing was changed.
    case otherKey(alias: String)
}
