extension HomeStore {
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
