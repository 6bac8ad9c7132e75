package import HAPController
package import HomeRuntime

/// The stores and the controller that a core opens.
package struct HomeKitEnvironment: Sendable {
    /// The state folder; `nil` if no other process can use the homes and run their triggers.
    let folder: String?
    let openHomes: @Sendable () async throws(StoreError) -> HomeStateStore
    let openController: @Sendable () async throws(ControllerError) -> Controller

    /// Creates the environment of a state folder.
    init(folder: String) {
        self.folder = folder
        openHomes = { () async throws(StoreError) in try await HomeStateStore.open(folder: folder) }
        openController = { () async throws(ControllerError) in try await Controller.open(state: folder) }
    }

    /// Creates an environment that only this process can use.
    ///
    /// - Parameters:
    ///   - openHomes: Opens a connection to the homes. It is called several times.
    ///   - openController: Opens the controller, which the core closes.
    package init(
        openHomes: @escaping @Sendable () async throws(StoreError) -> HomeStateStore,
        openController: @escaping @Sendable () async throws(ControllerError) -> Controller
    ) {
        folder = nil
        self.openHomes = openHomes
        self.openController = openController
    }
}
