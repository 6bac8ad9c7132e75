internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// Stores values that have changed.
extension AccessoryServer {
    /// The time until a changed value is saved.
    private static let saveDelay = Duration.milliseconds(500)
    /// The time until the server tries again to save values.
    private static let saveRetryDelay = Duration.seconds(1)

    /// Schedules a save, half a second after the first change.
    func scheduleSave(after delay: Duration = saveDelay) {
        guard lifecycle.isServing, unsavedValues.schedule() else { return }
        schedule(after: delay) { server in
            server.unsavedValues.timerFired()
            server.enqueue(.saveValues)
        }
    }

    /// Saves the changed values.
    ///
    /// Values that could not be saved are saved later, unless the server is stopping.
    func saveValues() async {
        let saved = unsavedValues.take()
        guard !saved.isEmpty else { return }
        var values: [CharacteristicID: CharacteristicValue] = [:]
        for id in saved {
            values[id] = value(of: id)
        }
        do throws(StoreError) {
            try await stored(.values) { () async throws(StoreError) in try await ports.store.save(values) }
        } catch {
            unsavedValues.restore(saved)
            observer?.observe(.storeFailed(error))
            scheduleSave(after: Self.saveRetryDelay)
        }
    }
}
