public import AccessoryModel
public import Discovery

extension Controller {
    /// Opens the controller that a store keeps; the first time, with an identity that is drawn then.
    ///
    /// Accessories that have moved are found by what they announce, through the Avahi daemon.
    ///
    /// - Throws: ``ControllerError/Code/store(_:)``.
    public static func open(
        store: any ControllerStore,
        configuration: ControllerConfiguration = ControllerConfiguration()
    ) async throws(ControllerError) -> Controller {
        let browser = AccessoryBrowser()
        return try await open(
            store: store,
            configuration: configuration,
            finder: AccessoryFinder(browser),
            browser: browser
        )
    }

    /// What is announced in this network: what is there now, and then what happens.
    ///
    /// Ends when the reader's task is cancelled.
    public nonisolated func discover() -> AsyncStream<DiscoveryUpdate> {
        browser.updates()
    }
}
