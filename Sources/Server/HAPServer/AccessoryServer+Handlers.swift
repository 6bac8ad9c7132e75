internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// Calls a handler, and uses the result for its item of the request; after the timeout, the item gets the status
    /// −70408.
    ///
    /// The call has an unstructured task, because a handler that never returns must not keep the server from stopping.
    func callHandler(
        _ kind: HandlerID,
        at position: Int,
        of operation: HandlerOperation,
        _ body: @escaping @Sendable () async throws -> CharacteristicValue
    ) {
        let limits = configuration.handlerLimits
        guard let call = handlerRegistry.calls.begin(kind, at: position, of: operation, limits) else {
            operation.setStatus(.busy, at: position)
            return
        }
        if kind.isWrite {
            invalidatePoll(to: kind.characteristic)
        }
        let warning = schedule(after: limits.warningDelay) { server in
            if server.handlerRegistry.calls.awaitedHandler(call) != nil {
                server.observer?.observe(.handlerSlow(kind.characteristic))
            }
        }
        let timeout = schedule(after: limits.timeout) { $0.handlerTimedOut(call) }
        // Weak, because a handler that never returns would keep a stopped server in memory.
        let task = Task { [weak self] in
            let result: Result<CharacteristicValue, any Error> = await Result(catching: body)
            await self?.handlerReturned(call, result)
        }
        handlerRegistry.calls.attach(task, timers: [warning, timeout], to: call)
    }

    /// Calls a handler whose result no request waits for, unless a call of it is running.
    ///
    /// The observer is notified if the call fails or takes long.
    func callHandlerUnlessRunning(_ kind: HandlerID, _ body: @escaping @Sendable () async throws -> Void) {
        guard handlerRegistry.calls.beginDetached(kind) else { return }
        let warning = schedule(after: configuration.handlerLimits.warningDelay) { server in
            server.observer?.observe(.handlerSlow(kind.characteristic))
        }
        let timeout = schedule(after: configuration.handlerLimits.timeout) { server in
            server.observer?.observe(.handlerTimedOut(kind.characteristic))
        }
        // Weak, because a handler that never returns would keep a stopped server in memory.
        Task { [weak self] in
            var failure: String?
            do {
                try await body()
            } catch {
                failure = String(describing: error)
            }
            warning.cancel()
            timeout.cancel()
            await self?.detachedHandlerReturned(kind, failure)
        }
    }

    /// Gives the item of a handler that has not returned in time the status −70408.
    func handlerTimedOut(_ number: UInt64) {
        guard let (call, operation) = handlerRegistry.calls.timeOut(number) else { return }
        observer?.observe(.handlerTimedOut(call.handler.characteristic))
        operation.setStatus(.timedOut, at: call.position)
        operation.remaining -= 1
        finishIfComplete(operation)
    }

    /// Answers the request when every handler of it has answered or run out of time.
    func finishIfComplete(_ operation: HandlerOperation) {
        defer { resumeIdleWaitersIfPossible() }
        guard operation.remaining == 0 else { return }
        switch operation.recipient {
        case .reader(let id, let options):
            guard let connection = connections[id] else { return }
            finishRead(operation.reads, options: options, for: connection)
        case .writer(let id):
            guard let connection = connections[id] else { return }
            finishWrite(operation.writes, for: connection)
        case .program(let continuation):
            continuation.resume(returning: operation.writes.map(\.status))
        }
    }

    /// Waits until no request waits for a handler or for a large response.
    ///
    /// Waits at most for the timeout of handlers.
    func waitForHandlers() async {
        guard isAnyRequestWaiting else { return }
        let limit = schedule(after: configuration.handlerLimits.timeout) { $0.resumeIdleWaiters() }
        await withCheckedContinuation { handlerRegistry.calls.addIdleWaiter($0) }
        limit.cancel()
    }

    /// Cancels all calls; the items that wait for them fail with −70402.
    func cancelHandlers() {
        for call in handlerRegistry.calls.removeAll() {
            call.cancel()
            guard let operation = call.operation else { continue }
            operation.setStatus(.unableToPerform, at: call.position)
            operation.remaining -= 1
            finishIfComplete(operation)
        }
        for call in handlerRegistry.driverCalls.removeAll() { finish(call, with: .unableToPerform) }
    }

    /// Resumes the callers that wait for handlers, if no request waits for one.
    func resumeIdleWaitersIfPossible() {
        guard handlerRegistry.calls.hasIdleWaiters, !isAnyRequestWaiting else { return }
        resumeIdleWaiters()
    }

    private func resumeIdleWaiters() {
        for continuation in handlerRegistry.calls.takeIdleWaiters() {
            continuation.resume()
        }
    }

    private var isAnyRequestWaiting: Bool {
        deferredWork.isComposing || handlerRegistry.calls.isRequestWaiting { connections[$0] != nil }
            || handlerRegistry.driverCalls.isRequestWaiting { connections[$0] != nil }
    }

    private func detachedHandlerReturned(_ kind: HandlerID, _ failure: String?) {
        handlerRegistry.calls.endDetached(kind)
        if let failure {
            observer?.observe(.handlerFailed(kind.characteristic, failure))
        }
    }

    /// Marks the poll of a characteristic as outdated, because a controller's write begins or ends.
    private func invalidatePoll(to id: CharacteristicID) {
        handlerRegistry.polls.invalidate { self.id(of: $0) == id }
    }

    private func handlerReturned(_ number: UInt64, _ result: Result<CharacteristicValue, any Error>) {
        guard let call = handlerRegistry.calls.end(number) else { return }
        if call.handler.isWrite {
            invalidatePoll(to: call.handler.characteristic)
        }
        var status = HAPStatus.success
        switch result {
        case .success(let value): status = applyValue(value, from: call)
        case .failure(let error):
            status = (error as? HandlerFailure)?.status ?? .unableToPerform
            observer?.observe(.handlerFailed(call.handler.characteristic, String(describing: error)))
        }
        guard let operation = call.operation else { return }
        operation.setStatus(status, at: call.position)
        operation.remaining -= 1
        finishIfComplete(operation)
    }

    /// Makes the result of a handler the value of the characteristic, even if the request has already been answered
    /// without it.
    ///
    /// HAP: §0 (several slow items)
    private func applyValue(_ value: CharacteristicValue, from call: HandlerCall) -> HAPStatus {
        guard let index = database.index(of: call.handler.characteristic) else { return .doesNotExist }
        var changes = ChangeSet()
        guard let operation = call.operation, !operation.writes.isEmpty,
            let write = operation.writes[call.position].write
        else {
            guard database.setValue(value, at: index, into: &changes) else {
                return reportInvalidValue(value, of: call.handler)
            }
            publish(changes, by: .device)
            return .success
        }
        let refusals = database.commit(
            [AcceptedWrite(index: index, value: write.value)],
            at: behaviorTime,
            into: &changes
        )
        if let refusal = refusals[index] { return refusal }
        if value != write.value, !database.setValue(value, at: index, into: &changes) {
            return reportInvalidValue(value, of: call.handler)
        }
        publish(changes, by: operation.origin)
        rescheduleBehaviors()
        return operation.writes[call.position].item.r && !hasWriteResponse(index) ? .writeOnly : .success
    }

    private func reportInvalidValue(_ value: CharacteristicValue, of kind: HandlerID) -> HAPStatus {
        observer?.observe(.handlerFailed(kind.characteristic, Self.invalidValueReason(value)))
        return .unableToPerform
    }

    /// The reason why a result is not accepted.
    static func invalidValueReason(_ value: CharacteristicValue) -> String {
        "\(value) is not a value of this characteristic"
    }
}
