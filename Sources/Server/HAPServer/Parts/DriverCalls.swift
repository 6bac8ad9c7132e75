internal import AccessoryModel
internal import NIOCore

/// The calls of drivers that requests wait for.
struct DriverCalls {
    private var calls: [UInt64: DriverCall] = [:]
    private var lastNumber: UInt64 = 0

    /// The calls that have not returned, in no order.
    var numbers: some Collection<UInt64> { calls.keys }

    /// Starts a call for some items of a request, and returns its number.
    mutating func begin(_ call: DriverCall) -> UInt64 {
        lastNumber += 1
        call.operation.remaining += 1
        calls[lastNumber] = call
        return lastNumber
    }

    /// Stores the task and the timer of a call, which are canceled with it.
    mutating func attach(_ task: Task<Void, Never>, _ timer: Scheduled<Void>, to number: UInt64) {
        calls[number]?.task = task
        calls[number]?.timer = timer
    }

    /// Notes that a driver has reported a value while calls wait.
    mutating func recordReport(of key: CharacteristicKey) {
        for number in calls.keys { calls[number]?.reported.insert(key) }
    }

    /// Ends a call that has returned or timed out; `nil` if it has ended.
    mutating func end(_ number: UInt64) -> DriverCall? { calls.removeValue(forKey: number) }

    /// Whether a request of an open connection, or of the program, waits for a driver.
    func isRequestWaiting(isOpen: (ConnectionID) -> Bool) -> Bool {
        calls.values.contains { $0.operation.isAwaited(isOpen) }
    }

    /// Switches to the database that has replaced the one of the requests.
    func rebind(to database: AttributeDatabase) {
        for call in calls.values { call.operation.rebind(to: database) }
    }

    /// Removes all calls, and returns them to be canceled.
    mutating func removeAll() -> [DriverCall] {
        defer { calls = [:] }
        return Array(calls.values)
    }
}

/// A call of a driver that has not returned.
struct DriverCall {
    /// The positions of the items in the request.
    let positions: [Int]
    /// The keys of their characteristics.
    let keys: [CharacteristicKey]
    let operation: HandlerOperation
    /// The characteristics that the driver has reported since the call began.
    fileprivate(set) var reported: Set<CharacteristicKey> = []
    fileprivate var task: Task<Void, Never>?
    fileprivate var timer: Scheduled<Void>?

    init(positions: [Int], keys: [CharacteristicKey], operation: HandlerOperation) {
        (self.positions, self.keys, self.operation) = (positions, keys, operation)
    }

    /// Cancels its task and its timer.
    func cancel() {
        task?.cancel()
        timer?.cancel()
    }
}
