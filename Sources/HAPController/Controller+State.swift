internal import AccessoryModel
internal import Storage

extension Controller {
    /// Opens the controller that is kept in a folder; the first time, with an identity that is drawn then.
    ///
    /// The folder holds `controller.sqlite`, which several programs may use at once: see `ControllerStateStore`. It is
    /// let go with the controller.
    ///
    /// - Throws: ``ControllerError/Code/store(_:)``.
    public static func open(
        state folder: String,
        configuration: ControllerConfiguration = ControllerConfiguration()
    ) async throws(ControllerError) -> Controller {
        let store: ControllerStateStore
        do throws(StoreError) {
            store = try await ControllerStateStore.open(folder: folder)
        } catch {
            throw ControllerError(error)
        }
        return try await open(store: store, configuration: configuration)
    }
}
