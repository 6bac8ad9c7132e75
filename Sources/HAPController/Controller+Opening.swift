public import AccessoryModel

extension Controller {
    /// Opens the controller that a store keeps; the first time, with an identity that is drawn then.
    ///
    /// - Throws: ``ControllerError/Code/store(_:)``.
    public static func open(
        store: any ControllerStore,
        configuration: ControllerConfiguration = ControllerConfiguration()
    ) async throws(ControllerError) -> Controller {
        try await open(store: store, configuration: configuration, finder: nil)
    }
}
