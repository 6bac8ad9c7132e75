package import AccessoryModel

extension HomeStore {
    /// Saves whether a user is at home.
    ///
    /// - Returns: The user.
    /// - Throws: ``HomeStoreError/refused(_:)`` if no user has the name, or ``HomeStoreError/store(_:)``.
    @discardableResult
    package func setPresence(_ isHome: Bool, ofUserNamed name: String, in home: Home) async throws(HomeStoreError)
        -> HomeUser
    {
        let (stored, user): (Home, HomeUser)
        do throws(StoreError) {
            stored = try await homes().homes.home(home.id) ?? home
        } catch {
            throw .store(error)
        }
        do throws(HomeError) { user = try stored.user(named: name) } catch { throw .refused(error) }
        do throws(StoreError) { try await setPresence(isHome, of: user.id, in: home.id) } catch { throw .store(error) }
        return user
    }

    /// Saves whether an automation is enabled.
    ///
    /// The file of a served home stays as it is.
    ///
    /// - Throws: ``HomeStoreError/refused(_:)`` if no automation has the name, or ``HomeStoreError/store(_:)``.
    package func setAutomation(named name: String, isEnabled: Bool, in home: Home) async throws(HomeStoreError) {
        try await update { homes throws(HomeError) in
            try homes.edit(home.id) { home throws(HomeError) in
                try home.setAutomation(home.automation(named: name).id, isEnabled: isEnabled)
            }
        }
    }
}
