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
    /// - Parameter isPlaced: Whether the accessory is added to the primary home.
    package func add(_ payload: String, toHome isPlaced: Bool) async throws {
        guard let payload = SetupPayload(parsing: payload) else {
            throw HMError(.invalidParameter, "The setup payload is not valid.")
        }
        guard isPlaced else {
            _ = try await context.core.parts().controller.pair(.matchingPayload, with: .payload(payload))
            return
        }
        let setup = AccessorySetup(payload: payload, home: nil, room: nil, name: nil, accessory: nil)
        try await context.add(setup) { _, _ in () }.value
    }

    /// Merges a home file into the homes, for accessories that are paired.
    ///
    /// - Parameter diagnostics: Receives the changes of the merge and returns the error to throw, if any.
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

    /// Waits until the accessories have received the app's requests, and the app has received what they sent.
    ///
    /// - Parameters:
    ///   - reachable: The servers that can be reached.
    ///   - unreachable: The servers that cannot be reached, which the app learns when a connection ends.
    ///   - waitUntilRead: Waits until the controller has read what the servers have sent.
    package func settle(
        reachable: Set<DeviceID>,
        unreachable: Set<DeviceID>,
        waitUntilRead: @escaping @Sendable () async -> Void
    ) async {
        await context.core.settle(reachable: reachable, unreachable: unreachable, waitUntilRead: waitUntilRead)
    }
}
