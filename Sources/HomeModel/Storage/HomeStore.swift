package import AccessoryModel

/// Keeps homes, who is at home, what their engines remember and what happened in them.
///
/// Several processes use one store at once: a `hap home rename` beside a `hap home run`. Homes and presence are on disk
/// when the call that changes them returns; memory and journal follow within a second.
package protocol HomeStore: Sendable {
    /// The homes as they are kept, with who is at home, all of one moment; none before the first are.
    func homes() async throws(StoreError) -> StoredHomes

    /// Keeps homes in place of those of a version; answers with the new version.
    ///
    /// Who is at home is not taken from them: see ``setPresence(_:of:in:)``. What was kept for a home that is gone goes
    /// with it.
    ///
    /// - Throws: ``HomeStoreError/conflict(_:)`` when another process was faster, ``HomeStoreError/store(_:)``.
    func save(_ homes: Homes, replacing version: UInt64) async throws(HomeStoreError) -> UInt64

    /// Keeps whether a user is at home; `nil` when nobody knows.
    func setPresence(
        _ isHome: Bool?,
        of user: ObjectID<HomeUser>,
        in home: ObjectID<Home>
    ) async throws(StoreError)

    /// Who came and went in a home after a change, such as ``StoredHomes/lastPresenceChange``, in order.
    ///
    /// Of all changes the last ``PresenceChange/maximumCount`` are kept.
    func presenceChanges(of home: ObjectID<Home>, after number: Int64) async throws(StoreError) -> [PresenceChange]

    /// What the engine of a home has to remember; empty when nothing is kept.
    func engineState(of home: ObjectID<Home>) async throws(StoreError) -> EngineState

    /// Keeps what the engine of a home has to remember.
    func save(_ memory: EngineState, of home: ObjectID<Home>) async throws(StoreError)

    /// Adds to the journal; of all entries the last ``StoredJournalEntry/maximumCount`` stay.
    func append(_ entries: [StoredJournalEntry]) async throws(StoreError)

    /// The last entries of a home, the oldest first.
    func journal(of home: ObjectID<Home>, last count: Int) async throws(StoreError) -> [StoredJournalEntry]
}

extension HomeStore {
    /// Disables automations of a home, as far as both are still stored.
    package func disable(
        _ automations: Set<ObjectID<Automation>>,
        of id: ObjectID<Home>
    ) async throws(StoreError) {
        do throws(HomeStoreError) {
            try await update { homes throws(HomeError) in
                guard homes.home(id) != nil else { return }
                try homes.edit(id) { home throws(HomeError) in
                    for automation in automations where home.automation(automation) != nil {
                        try home.setAutomation(automation, isEnabled: false)
                    }
                }
            }
        } catch {
            // Disabling breaks no rule, and a newer version is changed again.
            guard case .store(let error) = error else { return }
            throw error
        }
    }

    /// Reads, changes and keeps the homes; reads and changes again as long as other processes are faster.
    ///
    /// Nothing is written when nothing has changed.
    ///
    /// - Throws: ``HomeStoreError/refused(_:)`` with what `update` throws, ``HomeStoreError/store(_:)``.
    package func update<Result: Sendable>(
        _ change: (inout Homes) throws(HomeError) -> Result
    ) async throws(HomeStoreError) -> Result {
        var stored: StoredHomes
        do throws(StoreError) {
            stored = try await homes()
        } catch {
            throw .store(error)
        }
        while true {
            var homes = stored.homes
            let result: Result
            do throws(HomeError) {
                result = try homes.transaction(change)
            } catch {
                throw .refused(error)
            }
            guard homes != stored.homes else { return result }
            do throws(HomeStoreError) {
                _ = try await save(homes, replacing: stored.version)
                return result
            } catch {
                // The same version again is no other process: the store would refuse for ever.
                guard case .conflict(let newer) = error, newer.version != stored.version else { throw error }
                stored = newer
            }
        }
    }
}
