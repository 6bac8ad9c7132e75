package import AccessoryModel
internal import AsyncPrimitives
package import HAPController
package import HAPCore
package import HomeModel

/// A backend with the accessories that a controller is paired with.
package struct NetworkBackend: HomeBackend {
    package let mailbox = BackendMailbox()
    private let controller: Controller

    package init(_ controller: Controller) {
        self.controller = controller
    }

    package func servers() async -> [BackendServer] {
        let stored = (try? await controller.pairings()) ?? []
        return await withTaskGroup(of: (Int, BackendServer).self) { group in
            for (index, pairing) in stored.enumerated() {
                guard let id = pairing.deviceID else { continue }
                group.addTask { await (index, server(id, alias: pairing.alias)) }
            }
            let servers = await group.reduce(into: []) { $0.append($1) }
            return servers.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Returns one server that the controller is paired with.
    package func server(_ id: DeviceID, alias: String) async -> BackendServer {
        var server = BackendServer(id: id, alias: alias, accessories: [])
        do throws(ControllerError) {
            server.accessories = try await controller.accessory(id.description).accessories()
        } catch {
            server.failure = error.description
        }
        return server
    }

    package func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        do throws(ControllerError) {
            let accessory = try await controller.accessory(request.server.description)
            let results = try await accessory.write(
                request.writes,
                timed: request.isTimed ? .seconds(10) : nil
            )
            let outcomes = results.map { ActionResult.Outcome(code: $0.code) }
            reportAcceptedWrites(request, outcomes)
            return outcomes
        } catch {
            let outcome: ActionResult.Outcome =
                switch error.code {
                case .requestFailed(_, let status?): .init(status)
                default: .unreachable(error.textForHomes)
                }
            return Array(repeating: outcome, count: request.writes.count)
        }
    }

    /// Reports the accepted values, because an accessory sends no event to the session that wrote them.
    private func reportAcceptedWrites(_ request: ServerWriteRequest, _ outcomes: [ActionResult.Outcome]) {
        for (write, outcome) in zip(request.writes, outcomes) where outcome == .succeeded {
            mailbox.send(.accepted(.init(write.id, of: request.server), write.value))
        }
    }

    package func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue] {
        await withTaskGroup(of: [CharacteristicReference: CharacteristicValue].self) { group in
            for (server, references) in Dictionary(grouping: references, by: \.accessory.server) {
                group.addTask { await read(references, of: server) }
            }
            return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
    }

    private func read(
        _ references: [CharacteristicReference],
        of server: DeviceID
    ) async -> [CharacteristicReference: CharacteristicValue] {
        guard let accessory = try? await controller.accessory(server.description),
            let results = try? await accessory.read(references.map(\.id))
        else { return [:] }
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        for result in results where result.isSuccess {
            values[.init(result.id, of: server)] = result.value
        }
        return values
    }

    /// Returns whether there is a session with a server, and everything that was received in it is in the mailbox.
    package func isSettled(_ server: DeviceID) async -> Bool {
        guard let accessory = try? await controller.accessory(server.description) else { return false }
        return await accessory.isSettled
    }

    package func observe(_ references: Set<CharacteristicReference>) async {
        await withDiscardingTaskGroup { group in
            // Without any references, the observation still lasts until the task is canceled.
            group.addTask { await AsyncSignal.waitForCancellation() }
            for (server, references) in Dictionary(grouping: references, by: \.accessory.server) {
                group.addTask { await observe(references.map(\.id), of: server) }
            }
        }
    }

    /// Observes one server until the task is canceled, and retries until the observation starts.
    package func observe(_ ids: [CharacteristicID], of server: DeviceID) async {
        var delay = controller.configuration.firstReconnectDelay
        var reported: String?
        while !Task.isCancelled {
            do throws(ControllerError) {
                let accessory = try await controller.accessory(server.description)
                var changes = await accessory.changes(of: ids).makeAsyncIterator()
                while let change = try await changes.next() {
                    reported = nil
                    delay = controller.configuration.firstReconnectDelay
                    handle(change, of: server)
                }
            } catch {
                if reported != error.textForHomes {
                    reported = error.textForHomes
                    mailbox.send(.unreachable(server, error.textForHomes))
                }
            }
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            delay = min(delay * 2, controller.configuration.longestReconnectDelay)
        }
    }

    private func handle(_ change: AccessoryChange, of server: DeviceID) {
        switch change {
        case .value(let id, let value): mailbox.send(.value(.init(id, of: server), value))
        case .connected: mailbox.send(.reachable(server))
        case .disconnected(let error): mailbox.send(.unreachable(server, error.description))
        case .databaseChanged: mailbox.send(.structureChanged(server))
        case .unreadable(let result): mailbox.send(.value(.init(result.id, of: server), nil))
        // The value that was read when the session was opened remains in effect.
        case .refused: break
        }
    }
}

extension ControllerError {
    /// The error with a remedy for an accessory of a home.
    fileprivate var textForHomes: String {
        guard code == .unknownAccessory else { return description }
        return "It is not paired with this controller; pair it again."
    }
}

extension CharacteristicReference {
    /// Creates a reference to a characteristic of a server.
    package init(_ id: CharacteristicID, of server: DeviceID) {
        self.init(accessory: AccessoryReference(server: server, aid: id.aid), iid: id.iid)
    }
}
