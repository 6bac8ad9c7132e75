internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// The calls of an embedding program's handlers that have not returned.
struct HandlerCalls {
    /// The running calls that were made for a request.
    private var calls: [UInt64: HandlerCall] = [:]
    private var usage: [HandlerID: HandlerUsage] = [:]
    private var lastNumber: UInt64 = 0
    /// The continuations to resume when no request waits for a handler.
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    /// The calls of handlers that have not returned, in no order.
    var numbers: some Collection<UInt64> { calls.keys }

    /// The number of running calls of each handler.
    var counts: [Int] { usage.values.map(\.calls) }

    /// Starts a call for an item of a request.
    ///
    /// - Returns: The number of the call; `nil` if the handler is busy. A handler is busy if too many of its calls are
    ///   running, or if one of them has timed out: further calls would only wait for that call.
    mutating func begin(
        _ kind: HandlerID,
        at position: Int,
        of operation: HandlerOperation,
        _ limits: HandlerLimits
    ) -> UInt64? {
        let use = usage[kind, default: HandlerUsage()]
        guard use.overdue == 0, use.calls < limits.maximumConcurrentCalls else { return nil }
        self.usage[kind] = HandlerUsage(calls: use.calls + 1)
        lastNumber += 1
        operation.remaining += 1
        calls[lastNumber] = HandlerCall(handler: kind, position: position, operation: operation)
        return lastNumber
    }

    /// Begins a call for which no request waits; returns `false` if an earlier call of the handler is still running.
    mutating func beginDetached(_ kind: HandlerID) -> Bool {
        guard usage[kind] == nil else { return false }
        usage[kind] = HandlerUsage(calls: 1)
        return true
    }

    /// Stores the task and the timers of a call, which are canceled with it.
    mutating func attach(_ task: Task<Void, Never>, timers: [Scheduled<Void>], to number: UInt64) {
        calls[number]?.task = task
        calls[number]?.timers = timers
    }

    /// Returns the handler that a request waits for; `nil` if the request was answered.
    func awaitedHandler(_ number: UInt64) -> HandlerID? {
        calls[number].flatMap { $0.operation == nil ? nil : $0.handler }
    }

    /// Ends the wait for a handler that has timed out; returns the call and its request, `nil` if none waits.
    mutating func timeOut(_ number: UInt64) -> (call: HandlerCall, operation: HandlerOperation)? {
        guard let call = calls[number], let operation = call.operation else { return nil }
        calls[number]?.operation = nil
        usage[call.handler]?.overdue += 1
        return (call, operation)
    }

    /// Ends a call that has returned.
    mutating func end(_ number: UInt64) -> HandlerCall? {
        guard let call = calls.removeValue(forKey: number) else { return nil }
        for timer in call.timers { timer.cancel() }
        recordReturn(of: call.handler, isOverdue: call.operation == nil)
        return call
    }

    /// Ends a call for which no request has waited.
    mutating func endDetached(_ kind: HandlerID) {
        recordReturn(of: kind, isOverdue: false)
    }

    /// Whether a request of an open connection, or of the program, waits for a handler.
    func isRequestWaiting(isOpen: (ConnectionID) -> Bool) -> Bool {
        calls.values.contains { $0.operation?.isAwaited(isOpen) ?? false }
    }

    /// Adds a continuation for ``takeIdleWaiters()``.
    mutating func addIdleWaiter(_ continuation: CheckedContinuation<Void, Never>) {
        idleWaiters.append(continuation)
    }

    var hasIdleWaiters: Bool { !idleWaiters.isEmpty }

    /// Removes the continuations to resume.
    mutating func takeIdleWaiters() -> [CheckedContinuation<Void, Never>] {
        defer { idleWaiters = [] }
        return idleWaiters
    }

    /// Returns whether a write of a characteristic is still running.
    func isWriting(_ id: CharacteristicID) -> Bool {
        usage[HandlerID(characteristic: id, isWrite: true)] != nil
    }

    /// Switches to the database that has replaced the one of the requests.
    func rebind(to database: AttributeDatabase) {
        for call in calls.values { call.operation?.rebind(to: database) }
    }

    /// Removes all calls, and returns them to be canceled.
    mutating func removeAll() -> [HandlerCall] {
        defer { calls = [:] }
        return Array(calls.values)
    }

    private mutating func recordReturn(of kind: HandlerID, isOverdue: Bool) {
        guard var use = usage[kind] else { return }
        use.calls -= 1
        if isOverdue { use.overdue -= 1 }
        self.usage[kind] = use.calls > 0 ? use : nil
    }
}

/// A call of a handler that has not returned.
struct HandlerCall {
    let handler: HandlerID
    let position: Int
    /// `nil` when the request was answered without it.
    fileprivate(set) var operation: HandlerOperation?
    fileprivate var task: Task<Void, Never>?
    fileprivate var timers: [Scheduled<Void>] = []

    /// Cancels its task.
    ///
    /// This may synchronously run code of the program, such as a cancellation handler.
    func cancel() {
        task?.cancel()
        for timer in timers { timer.cancel() }
    }

    fileprivate init(handler: HandlerID, position: Int, operation: HandlerOperation) {
        self.handler = handler
        self.position = position
        self.operation = operation
    }
}

/// One handler of one characteristic.
struct HandlerID: Sendable, Hashable {
    let characteristic: CharacteristicID
    let isWrite: Bool
}

/// The running calls of one handler: either the reads or the writes of one characteristic.
private struct HandlerUsage {
    /// The number of running calls.
    var calls = 0
    /// The number of running calls that have timed out.
    var overdue = 0
}
