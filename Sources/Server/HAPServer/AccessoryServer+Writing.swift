internal import AccessoryModel
internal import HAPCore

extension AccessoryServer {
    /// Answers `PUT /prepare`: announces a timed write.
    ///
    /// HAP: §13 (timed write)
    func prepare(_ request: HTTPRequest, from connection: ServerConnection) {
        do throws(ProtocolError) {
            connection.preparedWrite = PreparedWrite(try PrepareRequest(parsing: request.body), at: now)
        } catch {
            refuse(error, with: .failure(.badRequest, .invalidValue), from: connection)
            return
        }
        respond(.json(.ok, StatusBody.bytes(of: .success)), to: connection)
    }

    /// Answers `PUT /characteristics`.
    ///
    /// HAP: §13
    func write(_ request: HTTPRequest, from connection: ServerConnection) {
        let parsed: CharacteristicWriteRequest
        do throws(ProtocolError) {
            parsed = try CharacteristicWriteRequest(parsing: request.body)
        } catch {
            refuse(error, with: .failure(.badRequest, .invalidValue), from: connection)
            return
        }
        reportItems(of: parsed, from: connection)
        let isTimed = parsed.pid.map { consumePreparedWrite($0, of: connection) }
        guard !parsed.hasDuplicates else {
            reportRefusals(parsed.items.map { WriteOutcome($0, .completed(.invalidValue)) }, of: connection)
            respond(.failure(.unprocessableEntity, .invalidValue), to: connection)
            return
        }
        guard isTimed != false else {
            finishWrite(parsed.items.map { WriteOutcome($0, .completed(.invalidValue)) }, for: connection)
            return
        }
        let context = WriteContext(
            writer: connection.id.subscriber,
            isAdmin: connection.session?.isAdmin ?? false,
            isTimed: isTimed ?? false
        )
        var outcomes: [WriteOutcome] = []
        outcomes.reserveCapacity(parsed.items.count)
        var valueCount = 0
        let refusals = connection.refusals(of: parsed, by: self)
        for (position, item) in parsed.items.enumerated() {
            valueCount += item.value == nil ? 0 : 1
            let decision: WriteDecision
            if item.value != nil, valueCount > CharacteristicWriteRequest.maximumValueCount {
                decision = .completed(.outOfResources)
            } else if !refusals.isEmpty, let status = refusals[position] {
                decision = .completed(status)
            } else {
                decision = subscribeAndCheck(item, in: context, from: connection)
            }
            outcomes.append(WriteOutcome(item, decision))
        }
        execute(&outcomes, from: connection)
    }

    /// Answers a write: 204 if everything succeeded and no value is returned, otherwise 207.
    ///
    /// An item that was written but whose value does not fit into the response has the status −70407.
    func finishWrite(_ outcomes: [WriteOutcome], for connection: ServerConnection) {
        guard !hasEmptyResponse(outcomes) else {
            respond(HTTPResponse(.noContent), to: connection)
            return
        }
        var writer = CharacteristicResponseWriter(reservingBytes: 32 + 64 * outcomes.count)
        var budget = ResponseBudget(itemCount: outcomes.count, availableBytes: connection.channelHandler.availableBytes)
        for outcome in outcomes {
            guard outcome.status == .success, returnsValue(outcome), let index = outcome.write?.index else {
                writer.beginItem(outcome.item.address, status: outcome.status)
                writer.endItem()
                continue
            }
            let hasRoom = budget.reserveValue(database.size(at: index))
            writer.beginItem(outcome.item.address, status: hasRoom ? .success : .outOfResources)
            if hasRoom {
                writer.json.key(plain: "value")
                database.writeValue(at: index, to: &writer.json)
            }
            writer.endItem()
        }
        reportRefusals(outcomes, of: connection)
        respond(.json(.multiStatus, writer.finish()), to: connection)
    }

    /// Reports the first refused item with each status, so that a request of many items causes few events.
    private func reportRefusals(_ outcomes: [WriteOutcome], of connection: ServerConnection) {
        guard let observer else { return }
        var reported: Set<HAPStatus> = []
        for outcome in outcomes where outcome.status != .success && outcome.item.value != nil {
            guard let id = outcome.item.address.id, reported.insert(outcome.status).inserted else { continue }
            observer.observe(.writeRefused(connection.id, id, outcome.status))
        }
    }

    /// Returns whether a write is answered without a body.
    private func hasEmptyResponse(_ outcomes: [WriteOutcome]) -> Bool {
        // This is a loop, because a closure that captures the actor checks the executor at each call.
        for outcome in outcomes where outcome.status != .success || returnsValue(outcome) {
            return false
        }
        return true
    }

    private func subscribeAndCheck(
        _ item: CharacteristicWriteItem,
        in context: WriteContext,
        from connection: ServerConnection
    ) -> WriteDecision {
        let decision = database.validate(item, in: context)
        if item.ev == false, let id = item.address.id, let index = database.index(of: id),
            !database.subscriptions.contains(connection.id.subscriber, index)
        {
            connection.events.drop(id)
        }
        return decision
    }

    /// Returns whether a timed write with this `pid` was announced in time; any attempt uses up the announcement.
    private func consumePreparedWrite(_ pid: UInt64, of connection: ServerConnection) -> Bool {
        connection.preparedWrite.take()?.matches(pid, at: now) ?? false
    }

    /// Writes the items without a handler or driver at once, and calls those of the others.
    private func execute(_ outcomes: inout [WriteOutcome], from connection: ServerConnection) {
        let (changes, isFinished) = commit(&outcomes)
        // Older events about these characteristics may still wait for the writer; after the response they would be
        // outdated.
        connection.events.drop(changes.changes.lazy.filter { !$0.notifiesWriter }.map(\.id))
        reportIdentify(in: outcomes)
        if isFinished {
            finishWrite(outcomes, for: connection)
        } else {
            callWriteHandlers(HandlerOperation(.writer(connection.id), writes: outcomes))
        }
        // Publish after the response, so that the writer's own events follow it.
        publish(changes, by: .controller(connection.id))
        rescheduleBehaviors()
    }

    /// Writes the items that need no handler or driver; returns the changes, and whether nothing has to be called.
    func commit(_ outcomes: inout [WriteOutcome]) -> (ChangeSet, isFinished: Bool) {
        var changes = ChangeSet()
        var writes = outcomes.compactMap { $0.write }
        let isSplit = !handlerRegistry.handlers.isEmpty || database.hasDrivenServices
        if isSplit {
            writes.removeAll { handlerRegistry.handlers[$0.index]?.onWrite != nil || database.isDriven($0.index) }
        }
        if !writes.isEmpty {
            let refusals = database.commit(writes, at: behaviorTime, into: &changes)
            for position in outcomes.indices {
                guard let index = outcomes[position].write?.index else { continue }
                if !refusals.isEmpty, let refusal = refusals[index] {
                    outcomes[position].status = refusal
                } else if outcomes[position].item.r, !hasWriteResponse(index) {
                    outcomes[position].status = .writeOnly
                }
            }
        }
        return (changes, !isSplit || writes.count == outcomes.count(where: { $0.write != nil }))
    }

    /// Calls the handlers of one request concurrently; a slow or failing handler affects only its own item.
    func callWriteHandlers(_ operation: HandlerOperation) {
        for (position, outcome) in operation.writes.enumerated() {
            guard let write = outcome.write, let onWrite = handlerRegistry.handlers[write.index]?.onWrite else {
                continue
            }
            let authorization = authorization(of: outcome)
            let kind = HandlerID(characteristic: database.characteristics[write.index].id, isWrite: true)
            callHandler(kind, at: position, of: operation) {
                try await onWrite(write.value, authorization) ?? write.value
            }
        }
        callDrivers(operation)
        finishIfComplete(operation)
    }

    /// Returns the authorization data of an item, if its characteristic accepts any.
    func authorization(of outcome: WriteOutcome) -> [UInt8]? {
        guard case .data(let bytes) = outcome.item.authorization, let index = outcome.write?.index,
            database.characteristics[index].permissions.contains(.additionalAuthorization)
        else { return nil }
        return bytes
    }

    /// Notifies the observer of every accessory that was asked to identify itself.
    ///
    /// HAP: §18
    func reportIdentify(in outcomes: [WriteOutcome]) {
        guard let observer else { return }
        for outcome in outcomes where outcome.status == .success {
            guard let write = outcome.write, write.value == .bool(true) else { continue }
            let characteristic = database.characteristics[write.index]
            if characteristic.type == .identify {
                observer.observe(.identifyRequested(characteristic.id.aid))
            }
        }
    }

    /// Returns whether the response contains the value: always for a written characteristic with write response.
    ///
    /// HAP: §13 rule 6
    private func returnsValue(_ outcome: WriteOutcome) -> Bool {
        guard let write = outcome.write else { return false }
        return hasWriteResponse(write.index)
    }

    func hasWriteResponse(_ index: Int) -> Bool {
        database.characteristics[index].permissions.contains(.writeResponse)
    }
}

/// The outcome of one item of a write.
struct WriteOutcome: Sendable {
    let item: CharacteristicWriteItem
    /// The valid value and its characteristic; `nil` if nothing is written.
    private(set) var write: AcceptedWrite?
    var status: HAPStatus

    init(_ item: CharacteristicWriteItem, _ decision: WriteDecision) {
        self.item = item
        switch decision {
        case .completed(let status):
            write = nil
            self.status = status
        case .accepted(let write):
            self.write = write
            status = .success
        }
    }

    /// Finds the characteristic in the database that has replaced the one it was written to.
    mutating func rebind(to database: AttributeDatabase) {
        guard let value = write?.value else { return }
        write = item.address.id.flatMap { database.index(of: $0) }.map { AcceptedWrite(index: $0, value: value) }
        if write == nil, status == .success {
            status = .doesNotExist
        }
    }
}

/// A timed write that was announced; it must arrive on the same connection before its time is over.
///
/// HAP: §13 (timed write)
struct PreparedWrite: Sendable, Hashable {
    let pid: UInt64
    let deadline: MonotonicInstant

    init(_ request: PrepareRequest, at now: MonotonicInstant) {
        pid = request.pid
        deadline = now.advanced(by: .milliseconds(Int64(clamping: request.ttl)))
    }

    /// Returns whether a request with this `pid` is the announced one and arrives in time.
    func matches(_ pid: UInt64, at now: MonotonicInstant) -> Bool {
        pid == self.pid && now <= deadline
    }
}
