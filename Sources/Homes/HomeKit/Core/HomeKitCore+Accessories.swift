internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPController
internal import HAPCore
internal import HomeModel
internal import HomeRuntime
internal import Synchronization

extension HomeKitCore {
    // MARK: Observation

    /// Receives changes from the accessories, in batches on the main queue, until the task is canceled.
    func receiveChanges(of backend: NetworkBackend) -> Task<Void, Never> {
        Task { [weak self] in
            while !Task.isCancelled {
                await backend.mailbox.wait()
                await runOnMainQueue { [weak self] in _ = self?.handleChanges() }
            }
        }
    }

    /// Observes the servers of all homes, runs the homes' tasks, and stops both for removed ones.
    func observe(_ homes: Homes) {
        guard let parts = try? parts() else { return }
        var wanted: [DeviceID: (ids: Set<CharacteristicID>, readable: Set<CharacteristicID>)] = [:]
        for accessory in homes.homes.lazy.flatMap(\.accessories) {
            guard let reference = accessory.reference else { continue }
            for characteristic in accessory.services.lazy.flatMap(\.characteristics) {
                guard let iid = characteristic.iid, !characteristic.permissions.isDisjoint(with: [.read, .events])
                else { continue }
                let id = CharacteristicID(aid: reference.aid, iid: iid)
                wanted[reference.server, default: ([], [])].ids.insert(id)
                if characteristic.permissions.contains(.read), !characteristic.type.isButton {
                    wanted[reference.server]?.readable.insert(id)
                }
            }
        }
        state.withLock { state in
            for (server, observation) in state.observations where observation.ids != wanted[server]?.ids {
                observation.task.cancel()
                state.observations[server] = nil
                if wanted[server] == nil { state.reachable.remove(server) }
            }
            for (server, wanted) in wanted where state.observations[server] == nil {
                let task = Task { [backend = parts.backend] in await backend.observe(Array(wanted.ids), of: server) }
                state.observations[server] = Observation(ids: wanted.ids, task: task, pending: wanted.readable)
            }
            for (home, tasks) in state.homeTasks where homes.home(home) == nil {
                tasks.cancel()
                state.homeTasks[home] = nil
            }
            for home in homes.homes where state.homeTasks[home.id] == nil {
                state.homeTasks[home.id] = HomeTasks(home, in: self, parts)
            }
        }
    }

    /// Applies the received changes and notifies the delegates; call it on the main queue.
    ///
    /// - Returns: Whether there were changes.
    @discardableResult
    func handleChanges() -> Bool {
        guard let parts = try? parts(), let received = parts.backend.mailbox.dequeue() else { return false }
        for change in received {
            let changes = handle(change)
            if !changes.isEmpty {
                for context in contexts { context.deliver(changes) }
            }
        }
        return !received.isEmpty
    }

    private func handle(_ change: BackendChange) -> [ObjectChange] {
        switch change {
        case .value(let reference, let value): return received(value, of: reference)
        case .accepted(let reference, let value): state.withLock { $0.values[reference] = value }
        case .reachable(let server): return setReachable(true, server)
        case .unreachable(let server, _): return setReachable(false, server)
        case .structureChanged(let server): updateStructure(.structureChanged(server), of: server)
        }
        return []
    }

    private func received(_ value: CharacteristicValue?, of reference: CharacteristicReference) -> [ObjectChange] {
        state.withLock { state in
            let server = reference.accessory.server
            if state.observations[server]?.pending?.remove(reference.id) != nil,
                state.observations[server]?.pending?.isEmpty == true
            {
                state.observations[server]?.pending = nil
            }
            // Keeps the last known value if the accessory reports none.
            guard let value, let place = state.places[reference] else { return [] }
            let former = state.values.updateValue(value, forKey: reference)
            // A button can report the same event repeatedly.
            guard former != value || place.selector.type.isButton else { return [] }
            return [.value(place)]
        }
    }

    private func setReachable(_ isReachable: Bool, _ server: DeviceID) -> [ObjectChange] {
        let (isChanged, homes) = state.withLock { state in
            // The last changes of a server may arrive after its observation has ended.
            guard state.observations[server] != nil else { return (false, Homes()) }
            if !isReachable { state.observations[server]?.pending = nil }
            let isChanged =
                isReachable ? state.reachable.insert(server).inserted : state.reachable.remove(server) != nil
            return (isChanged, state.homes)
        }
        if isReachable { updateStructure(.reachable(server), of: server) }
        guard isChanged else { return [] }
        return homes.homes.flatMap { home in
            home.accessories.filter { $0.reference?.server == server }.map { .reachability(home.id, $0.id) }
        }
    }

    /// Passes an event to the updater of the home that contains the server, which reads the server's services again.
    private func updateStructure(_ event: HomeEvent, of server: DeviceID) {
        let (homes, tasks) = state.withLock { ($0.homes, $0.homeTasks) }
        for home in homes.homes where home.accessories.contains(where: { $0.reference?.server == server }) {
            tasks[home.id]?.updater.observe(event, in: home, at: WallInstant(nanoseconds: 0))
        }
    }

    // MARK: Requests

    private func queue(of server: DeviceID) -> JobQueue {
        state.withLock { state in
            let queue = state.queues[server] ?? JobQueue()
            state.queues[server] = queue
            return queue
        }
    }

    /// Sends a request to a server when all writes that were requested before it are done.
    ///
    /// - Parameter waits: Whether later requests wait for this one, too: for a write, but not for a read.
    private func request<Value: Sendable>(
        of server: DeviceID,
        waits: Bool,
        _ request: @escaping @Sendable (PairedAccessory) async throws(ControllerError) -> Value,
        finish: @escaping @Sendable (Value) -> Result<Void, HMError>
    ) -> PendingResult<Void> {
        let pending = PendingResult<Void>()
        let parts: Parts
        do throws(HMError) { parts = try self.parts() } catch { return PendingResult(failure: error) }
        state.withLock { $0.pendingRequests += 1 }
        // The core lives until then, so that the completion handler finds its state.
        let work: @Sendable () async -> Void = { [self] in
            defer { state.withLock { $0.pendingRequests -= 1 } }
            do throws(ControllerError) {
                let value = try await request(try await parts.controller.accessory(server.description))
                await runOnMainQueue { [self] in
                    // Events that came before the response are older than it.
                    handleChanges()
                    pending.finish(finish(value))
                }
            } catch {
                await runOnMainQueue { pending.finish(.failure(HMError(error))) }
            }
        }
        queue(of: server).add { if waits { await work() } else { Task { await work() } } }
        return pending
    }

    func write(_ value: CharacteristicValue, to reference: CharacteristicReference, isBridged: Bool) -> PendingResult<
        Void
    > {
        request(of: reference.accessory.server, waits: true) { accessory throws(ControllerError) in
            try await accessory.write([CharacteristicWrite(reference.id, value)])
        } finish: { [weak self] results in
            guard let result = results.first, result.isSuccess else {
                return .failure(HMError(results.first?.status, isBridged: isBridged))
            }
            self?.appWrote([.accepted(reference, result.value ?? value)])
            return .success(())
        }
    }

    func read(_ reference: CharacteristicReference, isBridged: Bool) -> PendingResult<Void> {
        request(of: reference.accessory.server, waits: false) { accessory throws(ControllerError) in
            try await accessory.read([reference.id])
        } finish: { [weak self] results in
            guard let result = results.first, result.isSuccess else {
                return .failure(HMError(results.first?.status, isBridged: isBridged))
            }
            self?.state.withLock { $0.values[reference] = result.value }
            return .success(())
        }
    }

    /// Stores values that the app has written, and passes them to the triggers of this process.
    private func appWrote(_ changes: [BackendChange]) {
        let tasks = state.withLock { state in
            for case .accepted(let reference, let value) in changes { state.values[reference] = value }
            return state.homeTasks.values
        }
        for change in changes {
            for home in tasks { home.appWrote(change) }
        }
    }

    /// Runs the actions of a scene, after all writes to its accessories that were requested before.
    func execute(_ scene: HomeScene, of snapshot: HomeSnapshot) -> PendingResult<Void> {
        let parts: Parts
        do throws(HMError) { parts = try self.parts() } catch { return PendingResult(failure: error) }
        guard state.withLock({ $0.executing.insert(scene.id).inserted }) else {
            return PendingResult(failure: HMError(.actionSetExecutionInProgress, "\(scene.name) is running already."))
        }
        state.withLock { $0.pendingRequests += 1 }
        let pending = PendingResult<Void>()
        let plan = ScenePlan(scene.actions, in: snapshot.home)
        let outcomes = plan.requests.map { request in
            let outcome = OneShot<[ActionResult.Outcome]>()
            queue(of: request.server).add { outcome.set(await parts.backend.write(request)) }
            return outcome
        }
        Task { [self] in
            defer { state.withLock { $0.pendingRequests -= 1 } }
            var (failed, written): (Int, [BackendChange]) = (plan.failures.count, [])
            for (request, outcome) in zip(plan.requests, outcomes) {
                for (write, outcome) in zip(request.writes, await outcome.wait()) {
                    if outcome == .succeeded {
                        written.append(.accepted(CharacteristicReference(write.id, of: request.server), write.value))
                    } else {
                        failed += 1
                    }
                }
            }
            let (count, changes) = (failed, written)
            await runOnMainQueue { [self] in
                handleChanges()
                appWrote(changes)
                state.withLock { state in
                    state.executing.remove(scene.id)
                    state.lastExecutions[scene.id] = Date()
                }
                let error = HMError(
                    changes.isEmpty ? .actionSetExecutionFailed : .actionSetExecutionPartialSuccess,
                    "\(count) of \(count + changes.count) actions failed."
                )
                pending.finish(count == 0 ? .success(()) : .failure(error))
            }
        }
        return pending
    }
}
