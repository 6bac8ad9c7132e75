package import AccessoryModel

/// A store for homes.
///
/// Several processes may use a store at the same time, for example `hap home rename` and `hap home run`. Homes are on
/// disk when the call that changes them returns.
package protocol HomeStore: Sendable {
    /// Returns the stored homes and presence as of one moment; empty before the first save.
    func homes() async throws(StoreError) -> StoredHomes

    /// Saves homes in place of a version, and returns the new version.
    ///
    /// The presence of users is not saved with the homes. All data of a removed home is removed.
    ///
    /// - Throws: ``HomeStoreError/conflict(_:)`` if another process has saved first, or ``HomeStoreError/store(_:)``.
    func save(_ homes: Homes, replacing version: UInt64) async throws(HomeStoreError) -> UInt64
}

extension HomeStore {
    /// Disables automations of a home, if the home and the automations still exist.
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
            // Disabling breaks no rule, and `update` retries after a conflict.
            guard case .store(let error) = error else { return }
            throw error
        }
    }

    /// Reads, changes and saves the homes, and retries if another process has saved in the meantime.
    ///
    /// If nothing has changed, nothing is written.
    ///
    /// - Throws: ``HomeStoreError/refused(_:)`` with the error of the change, or ``HomeStoreError/store(_:)``.
    package func update<Result: Sendable>(
        _ change: (inout Homes) throws(HomeError) -> Result
    ) async throws(HomeStoreError) -> Result {
        try await updateAndReturnHomes(change).result
    }

    /// Changes the homes, as ``update(_:)`` does, and also returns the homes as they are stored then.
    ///
    /// This saves the time for reading them again.
    package func updateAndReturnHomes<Result: Sendable>(
        _ change: (inout Homes) throws(HomeError) -> Result
    ) async throws(HomeStoreError) -> (result: Result, homes: StoredHomes) {
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
            guard homes != stored.homes else { return (result, stored) }
            do throws(HomeStoreError) {
                let version = try await save(homes, replacing: stored.version)
                return (result, StoredHomes(homes, version: version, lastPresenceChange: stored.lastPresenceChange))
            } catch {
                // A conflict with the same version has another cause, so retrying would never end.
                guard case .conflict(let newer) = error, newer.version != stored.version else { throw error }
                stored = newer
            }
        }
    }
}
