package import AccessoryModel
internal import HAPCore
internal import NIOCore

/// The services that drivers answer for.
extension AccessoryServer {
    /// Stores the values that a driver has received, in their order, and notifies subscribers of those that are new.
    ///
    /// - Returns: The keys of the reports that are refused: the server has no such characteristic, no driver answers for
    ///   its service, or the value is not valid for it.
    package func report(_ reports: [DriverReport]) -> [CharacteristicKey] {
        var refused: [CharacteristicKey] = []
        for report in reports {
            // One set for each report, because two presses of a button are two events.
            var changes = ChangeSet()
            guard let index = index(of: report.key), database.isDriven(index),
                database.setValue(report.value, at: index, into: &changes)
            else {
                refused.append(report.key)
                continue
            }
            handlerRegistry.driverCalls.recordReport(of: report.key)
            publish(changes, by: .device)
        }
        return refused
    }

    /// Returns the id of an accessory by its key.
    package func accessoryID(ofKey key: String) -> AccessoryID? { records.identifiers.accessories[key] }

    /// Sets whether the driven services of an accessory can be reached; until then, their items get −70402.
    package func setReachable(_ isReachable: Bool, accessory key: String) {
        guard let aid = records.identifiers.accessories[key] else { return }
        database.setReachable(isReachable, aid)
    }

    /// Passes the event of a peer to the simulated device of an accessory.
    package func receive(_ event: PeerEvent, accessory key: String) {
        guard let aid = records.identifiers.accessories[key] else { return }
        publish(database.receive(event, in: aid, at: behaviorTime), by: .device)
        rescheduleBehaviors()
    }

    /// Does what simulated devices do to others; what follows from that may be more of it.
    func performDeviceEffects() {
        for _ in 0..<Self.maximumEffectRounds {
            let effects = database.takeDeviceEffects()
            guard !effects.isEmpty else { return }
            var toOthers: [AccessoryID: [DeviceEffect]] = [:]
            for (aid, effect) in effects {
                if case .operate(let type, let change) = effect {
                    publish(database.operate(change, type, of: aid, at: behaviorTime), by: .device)
                } else {
                    toOthers[aid, default: []].append(effect)
                }
            }
            for (aid, effects) in toOthers {
                guard let key = records.identifiers.accessories.first(where: { $0.value == aid })?.key else { continue }
                ports.drivers?.perform(effects, ofAccessory: key, at: behaviorTime)
            }
        }
    }

    /// Devices that keep triggering each other are stopped after as many rounds.
    private static let maximumEffectRounds = 8

    /// Passes the writes of a request to the drivers of their accessories, in one call for each accessory.
    func callDrivers(_ operation: HandlerOperation) {
        guard database.hasDrivenServices else { return }
        var positions: [AccessoryID: [Int]] = [:]
        for (position, outcome) in operation.writes.enumerated() {
            guard let index = outcome.write?.index, database.isDriven(index) else { continue }
            let service = database.services[database.characteristics[index].service]
            if service.isReachable, ports.drivers != nil {
                positions[service.aid, default: []].append(position)
            } else {
                operation.setStatus(.unableToPerform, at: position)
            }
        }
        for (aid, positions) in positions { callDriver(of: aid, for: positions, of: operation) }
    }

    private func callDriver(of aid: AccessoryID, for positions: [Int], of operation: HandlerOperation) {
        let accessory = records.identifiers.accessories.first { $0.value == aid }?.key ?? ""
        let writes = positions.compactMap { position -> DriverWrite? in
            let outcome = operation.writes[position]
            guard let write = outcome.write else { return nil }
            let characteristic = database.characteristics[write.index]
            let service = database.services[characteristic.service].key
            let key = CharacteristicKey(accessory: accessory, service: service, type: characteristic.type)
            return DriverWrite(key, write.value, authorization: authorization(of: outcome))
        }
        let call = DriverCall(positions: positions, keys: writes.map(\.key), operation: operation)
        let number = handlerRegistry.driverCalls.begin(call)
        let timeout = configuration.handlerLimits.timeout
        let timer = schedule(after: timeout) { $0.driverTimedOut(number) }
        let request = DriverWriteRequest(
            number: number,
            accessory: accessory,
            writes: writes,
            deadline: now.advanced(by: timeout)
        )
        // Weak, because a driver that never returns would keep a stopped server in memory.
        let task = Task { [weak self, drivers = ports.drivers] in
            let results = await drivers?.write(request) ?? []
            await self?.driverReturned(number, results)
        }
        handlerRegistry.driverCalls.attach(task, timer, to: number)
    }

    /// Gives the items of a driver that has not returned in time the status −70408.
    func driverTimedOut(_ number: UInt64) {
        guard let call = handlerRegistry.driverCalls.end(number) else { return }
        if let id = call.operation.writes[call.positions[0]].item.address.id {
            observer?.observe(.handlerTimedOut(id))
        }
        finish(call, with: .timedOut)
    }

    /// Ends a call without results.
    func finish(_ call: DriverCall, with status: HAPStatus) {
        call.cancel()
        for position in call.positions { call.operation.setStatus(status, at: position) }
        call.operation.remaining -= 1
        finishIfComplete(call.operation)
    }

    private func driverReturned(_ number: UInt64, _ results: [DriverWriteResult]) {
        // A result that is too late has no effect.
        guard let call = handlerRegistry.driverCalls.end(number) else { return }
        call.cancel()
        let operation = call.operation
        var changes = ChangeSet()
        for (position, key) in zip(call.positions, call.keys) where operation.writes[position].status == .success {
            let result = results.first { $0.key == key } ?? DriverWriteResult(key, .unableToPerform)
            var status = result.status
            if status == .success { status = store(result, at: position, of: call, into: &changes) }
            operation.setStatus(status, at: position)
        }
        publish(changes, by: operation.origin)
        operation.remaining -= 1
        finishIfComplete(operation)
    }

    /// Stores a written value, or the one that the device has taken instead.
    private func store(
        _ result: DriverWriteResult,
        at position: Int,
        of call: DriverCall,
        into changes: inout ChangeSet
    ) -> HAPStatus {
        guard let write = call.operation.writes[position].write else { return .doesNotExist }
        // What the driver has reported since is newer.
        guard !call.reported.contains(result.key) || hasWriteResponse(write.index) else { return .success }
        let refusals = database.commit([write], at: behaviorTime, into: &changes)
        if let refusal = refusals[write.index] { return refusal }
        if let value = result.value, value != write.value,
            !database.setValue(value, at: write.index, into: &changes)
        {
            observer?
                .observe(
                    .handlerFailed(database.characteristics[write.index].id, Self.invalidValueReason(value))
                )
            return .unableToPerform
        }
        return call.operation.writes[position].item.r && !hasWriteResponse(write.index) ? .writeOnly : .success
    }
}
