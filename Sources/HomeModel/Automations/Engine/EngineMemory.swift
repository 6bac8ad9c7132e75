/// What an engine has to remember beyond its end, so that a light that is to go off does so after a restart, too.
package struct EngineMemory: Sendable, Hashable {
    /// What is still to end.
    package var ends: [ObjectID<Automation>: PendingEnd]
    /// Who is home, as far as anybody knows.
    package var presence: [ObjectID<HomeUser>: Bool]
    /// Since when intervals without a beginning count.
    package var since: [ObjectID<Automation>: WallInstant]

    /// Until when what is due has happened; `nil` when there was no engine before.
    package var instant: WallInstant?

    /// Creates a memory as it was kept.
    package init(
        ends: [ObjectID<Automation>: PendingEnd] = [:],
        presence: [ObjectID<HomeUser>: Bool] = [:],
        since: [ObjectID<Automation>: WallInstant] = [:],
        instant: WallInstant? = nil
    ) {
        self.ends = ends
        self.presence = presence
        self.since = since
        self.instant = instant
    }
}
