/// How far a device is gone along with.
enum EventLimit {
    /// How many events are gone through before whole days are left out.
    static let events = 10_000
    /// How many rounds of consequences may happen at one instant.
    static let turns = 64
}
