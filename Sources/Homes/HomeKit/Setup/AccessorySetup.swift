internal import AccessoryModel
internal import Discovery
internal import HAPController
internal import HAPCore
internal import HomeModel
internal import HomeRuntime
internal import Synchronization

/// An accessory to add to a home.
struct AccessorySetup: Sendable {
    let payload: SetupPayload?
    /// The UUID of the home, or `nil` for the primary one.
    let home: UUID?
    let room: UUID?
    let name: String?
    /// The accessory that the app has chosen.
    let accessory: DiscoveredAccessory?
}

extension HMError {
    static let alreadyHere = HMError(.objectAlreadyAssociatedToHome, "The accessory is in the home already.")
}

extension ManagerContext {
    /// Pairs with an accessory, adds it to a home, and returns the value that `value` computes.
    func add<Value: Sendable>(
        _ setup: AccessorySetup,
        returning value: @escaping @Sendable (HMHome, [HMAccessory]) -> Value
    ) -> PendingResult<Value> {
        let pending = PendingResult<Value>()
        // Pairing starts after the homes are loaded, but outside the queue of edits: it may wait for the user.
        core.afterEdits { [self] _ in
            Task { [self] in
                do throws(HMError) {
                    let (home, added) = try await pairAndPlace(setup)
                    await runOnMainQueue { [self] in
                        let object = self.home(home)
                        let accessories = added.compactMap { self.accessory($0, of: home) }
                        pending.finish(object.map { .success(value($0, accessories)) } ?? .failure(.removed))
                    }
                } catch {
                    await runOnMainQueue { pending.finish(.failure(error)) }
                }
            }
        }
        return pending
    }

    /// Pairs with an accessory, adds it to a home, and waits for its values.
    private func pairAndPlace(_ setup: AccessorySetup) async throws(HMError) -> (
        ObjectID<Home>, [ObjectID<HomeAccessory>]
    ) {
        let (home, server) = try await pair(setup)
        do throws(HMError) {
            if let failure = server.failure { throw HMError(.accessoryNotReachable, failure) }
            let options = AccessoryPlacementOptions(room: try roomName(setup, in: home), name: setup.name, services: [])
            let placing = core.edit { homes throws(HMError) in
                try HMError.wrapping { () throws(HomeError) in
                    try homes.edit(home) { home throws(HomeError) in try options.addServer(server, to: &home) }
                }
            } returning: { changes in
                changes.added.isEmpty ? changes.changed : changes.added
            }
            let added = try await placing.outcome.get()
            await core.waitForFirstValues(of: server.id)
            return (home, added)
        } catch {
            // An accessory that is paired but in no home could be neither added nor removed.
            _ = await HomeKitCore.unpair(server.id.description, try core.parts().controller)
            throw error
        }
    }

    private func homeModel(_ setup: AccessorySetup) throws(HMError) -> Home {
        let homes = core.state.withLock(\.homes)
        guard let id = setup.home else {
            guard let home = homes.primaryHome else {
                throw HMError(.notFound, "The user has no homes. Add one with addHome(named:).")
            }
            return home
        }
        guard let home = homes.homes.first(where: { UUID($0.uuid) == id }) else {
            throw HMError(.notFound, "Unknown home: \(id).")
        }
        return home
    }

    private func roomName(_ setup: AccessorySetup, in home: ObjectID<Home>) throws(HMError) -> String? {
        guard let wanted = setup.room, let home = core.snapshot(of: home)?.home else { return nil }
        if UUID(home.uuid(of: ObjectID<Room>.entireHome)) == wanted { return nil }
        guard let room = home.rooms.first(where: { UUID(home.uuid(of: $0.id)) == wanted }) else {
            throw HMError(.notFound, "Unknown room: \(wanted).")
        }
        return room.name.text
    }

    /// Pairs with the accessory, and returns its database.
    private func pair(_ setup: AccessorySetup) async throws(HMError) -> (ObjectID<Home>, BackendServer) {
        let home = try homeModel(setup)
        _ = try roomName(setup, in: home.id)
        if let name = setup.name {
            do throws(HomeError) { _ = try ObjectName(name) } catch { throw HMError(error, name: name) }
        }
        let parts = try core.parts()
        let (target, input) = try await target(setup, in: home, parts.controller)
        let paired: PairedAccessory
        let saved = Mutex<String?>(nil)
        do throws(ControllerError) {
            paired = try await parts.controller.pair(target, with: input) { progress in
                if case .saved(let alias) = progress { saved.withLock { $0 = alias } }
            }
        } catch {
            // The accessory may have accepted the pairing, and failed afterwards.
            if let alias = saved.withLock(\.self) { _ = await HomeKitCore.unpair(alias, parts.controller) }
            throw HMError(error)
        }
        guard let id = paired.pairing.deviceID else {
            _ = await HomeKitCore.unpair(paired.alias, parts.controller)
            throw HMError(.accessoryPairingFailed, "The accessory has no valid device ID.")
        }
        return (home.id, await parts.backend.server(id, alias: paired.alias))
    }

    private func target(
        _ setup: AccessorySetup,
        in home: Home,
        _ controller: Controller
    ) async throws(HMError) -> (AccessoryTarget, SetupInput) {
        if let payload = setup.payload { return (.matchingPayload, .payload(payload)) }
        guard let ask = core.settings.setupAnswer else {
            throw HMError(
                .operationNotSupported,
                "The setup code is missing. Set HomeKitSettings.setupAnswer, or pass a setup payload."
            )
        }
        let discovered = if let accessory = setup.accessory { [accessory] } else { await Self.pairable(by: controller) }
        let question = HomeKitSetupQuestion(
            home: home.name.text,
            accessory: setup.accessory?.name,
            discovered: discovered.map(\.name)
        )
        guard let answer = await ask(question) else {
            throw HMError(.operationCancelled, "Setup was canceled: setupAnswer returned nil.")
        }
        guard let code = SetupCode(answer.code) else {
            throw HMError(.accessoryPairingFailed, "The setup code is not valid. It has eight digits: 031-45-154.")
        }
        return (try Self.target(answer, discovered), .code(code))
    }

    private static func target(
        _ answer: HomeKitSetupAnswer,
        _ discovered: [DiscoveredAccessory]
    ) throws(HMError) -> AccessoryTarget {
        let found: DiscoveredAccessory?
        if let text = answer.accessory {
            if let id = DeviceID(text) { return .device(id) }
            found = discovered.first { $0.name == text }
            if found == nil, let endpoint = AccessoryEndpoint(argument: text) {
                return .address(host: endpoint.host, port: endpoint.port)
            }
        } else {
            found = discovered.count == 1 ? discovered.first : nil
        }
        guard let id = found?.deviceID else {
            let names = discovered.map(\.name).joined(separator: ", ")
            throw HMError(
                .notFound,
                "Answer with the name of an accessory on the network (\(names.isEmpty ? "none was found" : names)), its "
                    + "device ID, or HOST:PORT."
            )
        }
        return .device(id)
    }

    /// Returns the accessories on the network that can be paired, as far as they are found within three seconds.
    private static func pairable(by controller: Controller) async -> [DiscoveredAccessory] {
        let search = Task {
            var found: [DiscoveredAccessory] = []
            for await update in controller.discover() {
                switch update {
                case .appeared(let accessory), .changed(let accessory):
                    found.removeAll { $0.name == accessory.name }
                    if accessory.isPaired == false { found.append(accessory) }
                case .disappeared(let accessory): found.removeAll { $0.name == accessory.name }
                case .allForNow, .unavailable: return found
                case .available: break
                }
            }
            return found
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(3))
            search.cancel()
        }
        defer { limit.cancel() }
        return await search.value
    }
}

extension HomeKitCore {
    /// Removes the pairings with servers, then applies a change to the homes.
    ///
    /// If a server refuses, the accessories of the others are removed, and the change is not made.
    ///
    /// - Parameter change: Returns the servers whose accessories it has removed from the home.
    func unpair(
        _ servers: Set<DeviceID>,
        of home: ObjectID<Home>,
        then change: @escaping @Sendable (inout Homes) throws(HomeError) -> Set<DeviceID>
    ) -> PendingResult<Void> {
        let parts: Parts
        do throws(HMError) { parts = try self.parts() } catch { return PendingResult(failure: error) }
        let pending = PendingResult<Void>()
        state.withLock { $0.pendingRequests += 1 }
        pending.then { [self] _ in state.withLock { $0.pendingRequests -= 1 } }
        // Outside the queue of edits, which would wait for servers that do not answer.
        Task {
            var (gone, failure): (Set<DeviceID>, HMError?) = ([], nil)
            await withTaskGroup(of: (DeviceID, HMError?).self) { group in
                for server in servers {
                    group.addTask { (server, await Self.unpair(server.description, parts.controller)) }
                }
                for await (server, error) in group {
                    if let error { failure = error } else { gone.insert(server) }
                }
            }
            let removed = gone
            guard let failure else {
                edit { homes throws(HMError) in
                    try HMError.wrapping { () throws(HomeError) in try change(&homes) }
                } returning: { servers in
                    // What another program has added in the meantime.
                    let rest = servers.subtracting(removed)
                    Task { for server in rest { _ = await Self.unpair(server.description, parts.controller) } }
                    return ()
                }
                .then { pending.finish($0) }
                return
            }
            editModel { homes throws(HomeError) in
                try homes.edit(home) { home throws(HomeError) in
                    for accessory in home.accessories where accessory.bridge == nil {
                        guard let server = accessory.reference?.server, removed.contains(server) else { continue }
                        try home.removeAccessory(accessory.id)
                    }
                }
            }
            .then { _ in pending.finish(.failure(failure)) }
        }
        return pending
    }

    /// Removes a pairing; if the accessory is unreachable, only from the store.
    ///
    /// - Parameter name: The alias, or the device ID.
    static func unpair(_ name: String, _ controller: Controller) async -> HMError? {
        do throws(ControllerError) {
            do throws(ControllerError) {
                try await controller.accessory(name).unpair()
            } catch {
                guard error.meansUnreachable else { throw error }
                try await controller.forget(name)
            }
            return nil
        } catch {
            // The pairing was already removed.
            return error.code == .unknownAccessory ? nil : HMError(error)
        }
    }
}
