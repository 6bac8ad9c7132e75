internal import AccessoryModel
internal import HAPController
package import HAPCore
package import HomeModel
internal import HomeRuntime
internal import Synchronization

/// What a simulation needs of a manager besides HomeKit's functions.
extension HMHomeManager {
    /// Creates a manager with homes and accessories of its own.
    ///
    /// - Parameter setupAnswer: Supplies the setup code, like ``HomeKitSettings/setupAnswer``.
    package convenience init(
        in environment: HomeKitEnvironment,
        setupAnswer: @escaping @Sendable (HomeKitSetupQuestion) async -> HomeKitSetupAnswer?
    ) {
        let settings = HomeKitSettings.Values(setupAnswer: setupAnswer)
        self.init(core: HomeKitCore(environment, settings: settings))
    }

    /// Waits until the homes are loaded.
    ///
    /// - Throws: `HMError` if they cannot be loaded.
    package func waitUntilLoaded() async throws {
        await context.core.edits.finishJobs()
        _ = try context.core.parts()
    }

    /// Pairs with an accessory by its setup payload.
    ///
    /// - Parameter isAdded: Whether the accessory is added to the primary home.
    package func pair(_ payload: String, addsToHome isAdded: Bool) async throws {
        guard let payload = SetupPayload(parsing: payload) else {
            throw HMError(.invalidParameter, "The setup payload is not valid.")
        }
        guard isAdded else {
            _ = try await context.core.parts().controller.pair(.matchingPayload, with: .payload(payload))
            return
        }
        let setup = AccessorySetup(payload: payload, home: nil, room: nil, name: nil, accessory: nil)
        try await context.add(setup) { _, _ in () }.value
    }

    /// Merges a home file into the homes, for accessories that are paired.
    ///
    /// - Parameters:
    ///   - document: The content of the home file.
    ///   - check: Returns the error to throw, or `nil` to apply the merge.
    package func merge(
        _ document: HomeDocument,
        check: @escaping @Sendable (HomeMerge) -> (any Error)?
    ) async throws {
        let known = KnownAccessory.all(of: await (try context.core.parts()).backend.servers())
        let failure = Mutex<(any Error)?>(nil)
        let merging = context.core.edit { homes throws(HMError) in
            let merge = HomeMerge(document, into: homes, known: known, extent: .partial)
            if let error = check(merge) {
                failure.withLock { $0 = error }
                throw HMError(.invalidParameter, "The home file has errors.")
            }
            homes = merge.homes
        } returning: {
            ()
        }
        do {
            try await merging.value
        } catch {
            throw failure.withLock(\.self) ?? error
        }
    }

    /// Waits until the accessories have received the requests of the app, and the app has received what they sent.
    ///
    /// - Parameters:
    ///   - limit: The time after which the function returns.
    ///   - presence: Returns the present state of the servers.
    /// - Throws: `CancellationError` if the task is canceled.
    /// - Returns: `nil`, or at the time limit the servers whose state the app does not have; the set is empty if a
    ///   request of the app is not answered.
    package func settle(
        within limit: Duration,
        _ presence: () async -> ServerPresence
    ) async throws(CancellationError) -> Set<DeviceID>? {
        try await context.core.settle(within: limit, presence)
    }
}
