internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import HomeRuntime
internal import Synchronization

extension HomeKitCore {
    /// Changes the homes, then returns a value computed from the result.
    ///
    /// - Parameters:
    ///   - duplicateName: The code for a name that is taken.
    ///   - value: Computes the value on the main queue, after the change; `nil` means that the object was removed.
    func edit<Outcome: Sendable, Value: Sendable>(
        duplicateName: HMError.Code = .objectWithSimilarNameExistsInHome,
        _ change: @escaping @Sendable (inout Homes) throws(HMError) -> Outcome,
        returning value: @escaping @Sendable (Outcome) -> Value?
    ) -> PendingResult<Value> {
        let pending = PendingResult<Value>()
        afterEdits { core in
            do throws(HMError) {
                let parts = try core.parts()
                let (before, outcome, after) = try await Self.apply(change, duplicateName, in: parts.store)
                await runOnMainQueue {
                    let deliver = core.replace(after, own: before)
                    pending.finish(value(outcome).map { .success($0) } ?? .failure(.removed))
                    deliver()
                }
            } catch {
                await runOnMainQueue { pending.finish(.failure(error)) }
            }
        }
        return pending
    }

    /// Changes the homes, as the model allows.
    func editModel(
        duplicateName: HMError.Code = .objectWithSimilarNameExistsInHome,
        _ change: @escaping @Sendable (inout Homes) throws(HomeError) -> Void
    ) -> PendingResult<Void> {
        edit(duplicateName: duplicateName) { homes throws(HMError) in
            try HMError.wrapping(duplicateName) { () throws(HomeError) in try change(&homes) }
        } returning: {
            ()
        }
    }

    private static func apply<Outcome: Sendable>(
        _ change: @escaping @Sendable (inout Homes) throws(HMError) -> Outcome,
        _ duplicateName: HMError.Code,
        in store: HomeStateStore
    ) async throws(HMError) -> (before: Homes, outcome: Outcome, after: Homes) {
        // The error of the change, which the store cannot pass on.
        let refusal = Mutex<HMError?>(nil)
        do throws(HomeStoreError) {
            let (result, stored) = try await store.updateAndReturnHomes { homes throws(HomeError) in
                let before = homes
                do throws(HMError) {
                    return (before, try change(&homes))
                } catch {
                    refusal.withLock { $0 = error }
                    throw HomeError(.unknownObject, at: "", "The change was refused.")
                }
            }
            return (result.0, result.1, stored.homes)
        } catch {
            throw refusal.withLock(\.self) ?? HMError(error, duplicateName: duplicateName)
        }
    }

    /// Looks for changes of other processes, after all earlier edits.
    func poll() {
        let isNew = state.withLock { state in
            defer { state.isPollQueued = true }
            return !state.isPollQueued
        }
        guard isNew else { return }
        edits.add { [weak self] in
            self?.state.withLock { $0.isPollQueued = false }
            await self?.readChanges()
        }
    }

    private func readChanges() async {
        guard let parts = try? parts(), let version = try? await parts.store.dataVersion() else { return }
        let isChanged = state.withLock { $0.dataVersion != version }
        let stored = isChanged ? try? await Self.storedHomes(parts.store) : nil
        let hubs = hubs(of: stored ?? state.withLock(\.homes))
        guard stored != nil || hubs != state.withLock(\.hubs) else { return }
        await runOnMainQueue {
            if let stored {
                self.state.withLock { $0.dataVersion = version }
                self.replace(stored, own: stored)()
            }
            self.setHubs(hubs)
        }
    }

    /// Returns the stored homes, and first adds the built-in scenes that they lack: in HomeKit, these always exist.
    static func storedHomes(_ store: HomeStateStore) async throws(HMError) -> Homes {
        do throws(HomeStoreError) {
            return
                try await store.updateAndReturnHomes { homes throws(HomeError) in
                    for home in homes.homes where home.lacksBuiltInScenes {
                        // A home that is full stays without them.
                        try? homes.edit(home.id) { home throws(HomeError) in try home.addBuiltInScenes() }
                    }
                }
                .homes.homes
        } catch {
            throw HMError(error)
        }
    }

    /// The homes whose triggers a process runs.
    func hubs(of homes: Homes) -> Set<ObjectID<Home>> {
        guard let folder = environment.folder else { return [] }
        return Set(homes.homes.lazy.filter { HomeLock.isHeld($0.id, in: folder) }.map(\.id))
    }

    private func setHubs(_ hubs: Set<ObjectID<Home>>) {
        let changed = state.withLock { state in
            defer { state.hubs = hubs }
            return state.hubs.symmetricDifference(hubs)
        }
        for context in contexts { context.deliver(changed.map { .homeHub($0) }) }
    }

    /// Replaces the homes; call it on the main queue.
    ///
    /// - Parameters:
    ///   - homes: The new homes.
    ///   - before: The stored homes before the app's change. Differences from the current ones are changes by others.
    /// - Returns: A function that notifies the delegates of the changes by others; call it after the completion
    ///   handler.
    func replace(_ homes: Homes, own before: Homes) -> () -> Void {
        let (old, snapshots, contexts) = state.withLock { ($0.homes, $0.snapshots, $0.contexts.compactMap(\.context)) }
        let changes = state.withLock(\.isLoaded) ? ObjectChange.all(from: old, to: before) : []
        var new: [ObjectID<Home>: HomeSnapshot] = [:]
        for home in homes.homes {
            let known = snapshots[home.id]
            new[home.id] = known?.home == home ? known : HomeSnapshot(home)
        }
        let removals = contexts.map { $0.callbacks(for: changes.filter(\.isRemoval)) }
        for context in contexts { context.keepRemoved(from: snapshots, to: new) }
        let places = Self.places(in: homes)
        state.withLock { state in
            state.homes = homes
            state.snapshots = new
            // An id may be used again, for a characteristic of another type.
            state.values = state.values.filter { reference, _ in
                guard let place = places[reference] else { return false }
                return state.places[reference].map { $0.selector.type == place.selector.type } ?? true
            }
            state.places = places
        }
        observe(homes)
        return {
            for (context, removals) in zip(contexts, removals) {
                for callback in context.callbacks(for: changes.filter { !$0.isRemoval }) + removals { callback() }
            }
        }
    }

    private static func places(in homes: Homes) -> [CharacteristicReference: CharacteristicLocation] {
        var places: [CharacteristicReference: CharacteristicLocation] = [:]
        for home in homes.homes {
            for accessory in home.accessories {
                guard let reference = accessory.reference else { continue }
                for service in accessory.services {
                    for characteristic in service.characteristics {
                        guard let iid = characteristic.iid else { continue }
                        let selector = CharacteristicSelector(service: service.id, type: characteristic.type)
                        places[CharacteristicReference(accessory: reference, iid: iid)] =
                            CharacteristicLocation(home: home.id, accessory: accessory.id, selector: selector)
                    }
                }
            }
        }
        return places
    }
}
