internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// Stores values that have changed.
extension AccessoryServer {
    /// How long a changed value may wait before it is kept.
    private static let saveDelay = Duration.milliseconds(500)
    /// How long values that the store has not taken wait for the next try.
    private static let saveRetryDelay = Duration.seconds(1)

    /// Keeps what has changed, half a second after the first change.
    func scheduleSave(after delay: Duration = saveDelay) {
        guard lifecycle.isServing, unsavedValues.schedule() else { return }
        schedule(after: delay) { server in
            server.unsavedValues.timerFired()
            server.enqueue(.saveValues)
        }
    }

    /// Hands the changed values to the store; what it does not take is stored again later, until the server stops.
    func saveValues() async {
        let saved = unsavedValues.take()
        guard !saved.isEmpty else { return }
        var values: [CharacteristicID: CharacteristicValue] = [:]
        for id in saved {
            values[id] = value(of: id)
        }
        do throws(StoreError) {
            try await store(.values) { [values] store throws(StoreError) in try await store.save(values) }
        } catch {
            unsavedValues.restore(saved)
            observer?.observe(.storeFailed(error))
            scheduleSave(after: Self.saveRetryDelay)
        }
    }
}
