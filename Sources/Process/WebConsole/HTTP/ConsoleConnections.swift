internal import AsyncPrimitives
internal import CGlibc
internal import Dispatch
internal import NIOCore
internal import Synchronization

/// The open connections of a listener: which of them gives way to a new one, and which are awaited at the end.
///
/// Every user of this machine can open connections, so only those that have shown access are safe from eviction.
final class ConsoleConnections: Sendable {
    /// The number of a connection, in the order in which they were opened.
    typealias ID = UInt64

    private struct Connection {
        let channel: any Channel
        let openedAt: NIODeadline
        var isAuthenticated: Bool
        /// Whether a request that was received completely is being answered.
        var isResponding = false
        /// Whether its last response was written.
        var isEnding = false
    }

    private struct State {
        /// The connections that take up a place.
        var connections: [ID: Connection] = [:]
        /// The tasks of all connections, also of those that were closed a moment ago.
        var tasks: [ID: Task<Void, Never>] = [:]
        var lastID: ID = 0
        var isStopping = false
        var resume: (@Sendable () -> Void)?
        /// The connections that have ended since memory was last returned to the system.
        var endedCount = 0

        /// The connection that gives way to a new one: the oldest without access, unless it is new itself.
        var evictable: ID? {
            let others = connections.filter { !$0.value.isAuthenticated }
            guard let oldest = others.min(by: { $0.key < $1.key }) else { return nil }
            let isOverdue = oldest.value.openedAt + ConsoleLimits.accessTime <= .now()
            return isOverdue || others.count > ConsoleLimits.newConnections ? oldest.key : nil
        }
    }

    private let capacity: Int
    private let executor: any TaskExecutor
    private let state = Mutex(State())
    /// Set when the listener stops and the last task has ended.
    private let end = OneShot<Void>()

    /// The number of requests that were received and are not yet answered.
    var pendingResponseCount: Int { state.withLock { $0.connections.values.count { $0.isResponding } } }

    /// Whether there is a place for a further connection, also that of one that has not shown access.
    var hasPlace: Bool {
        state.withLock { state in
            state.connections.count < capacity || state.evictable != nil
        }
    }

    /// Calls a function on the event loop of each connection that gives up its place.
    func whenPlaceIsFree(_ resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.resume = resume }
    }

    /// - Parameters:
    ///   - capacity: The maximum number of connections.
    ///   - executor: The executor of the connections' tasks.
    init(capacity: Int, executor: any TaskExecutor) {
        self.capacity = capacity
        self.executor = executor
    }

    /// Adds a connection, if necessary in the place of one that is not authenticated, and handles it in a task of its
    /// own.
    ///
    /// There can be one connection more than places: one that was being accepted when the last one authenticated.
    ///
    /// - Parameters:
    ///   - isAuthenticated: Whether the connection has access from the beginning, as on a Unix socket.
    ///   - handle: Handles the connection until its end. It is called for every channel, so that none is released
    ///     before it is finished; while the listener stops, the channel is closed by then.
    func open(
        _ channel: any Channel,
        isAuthenticated: Bool,
        handle: @escaping @Sendable (ID) async -> Void
    ) {
        let (id, unwanted) = state.withLock { state -> (ID, (any Channel)?) in
            state.lastID += 1
            let id = state.lastID
            state.tasks[id] = Task(executorPreference: executor) {
                await handle(id)
                self.taskEnded(id)
            }
            guard !state.isStopping else { return (id, channel) }
            var evicted: (any Channel)?
            if state.connections.count >= capacity, let id = state.evictable {
                evicted = state.connections.removeValue(forKey: id)?.channel
            }
            state.connections[id] = Connection(channel: channel, openedAt: .now(), isAuthenticated: isAuthenticated)
            return (id, evicted)
        }
        channel.closeFuture.whenComplete { _ in self.release(id, on: channel.eventLoop) }
        unwanted?.close(mode: .all, promise: nil)
    }

    /// Records that a connection is authenticated, so that it is not evicted.
    func markAuthenticated(_ id: ID) {
        state.withLock { $0.connections[id]?.isAuthenticated = true }
    }

    /// Records that a request is complete and is being answered.
    ///
    /// - Returns: `false` if the request came too late: the listener stops, or the connection ends.
    func beginResponse(on id: ID) -> Bool {
        state.withLock { state in
            guard !state.isStopping, state.connections[id]?.isEnding == false else { return false }
            state.connections[id]?.isResponding = true
            return true
        }
    }

    /// Records that a response was written, or is a stream, which has no end to wait for.
    ///
    /// - Parameter isLast: Whether the client was told that the connection ends.
    /// - Returns: Whether the connection may send another request.
    @discardableResult
    func endResponse(on id: ID, isLast: Bool = false) -> Bool {
        state.withLock { state in
            state.connections[id]?.isResponding = false
            if isLast { state.connections[id]?.isEnding = true }
            return !state.isStopping && !isLast
        }
    }

    /// Accepts no more connections and requests, and closes the connections that are not authenticated, or have no
    /// pending response.
    func stopAccepting() {
        let (unauthenticated, idle, isEmpty) = state.withLock { state in
            guard !state.isStopping else { return ([any Channel](), [any Channel](), false) }
            state.isStopping = true
            state.resume = nil
            let all = state.connections.values
            return (
                all.filter { !$0.isAuthenticated }.map(\.channel),
                all.filter { $0.isAuthenticated && !$0.isResponding && !$0.isEnding }.map(\.channel),
                state.tasks.isEmpty
            )
        }
        for channel in unauthenticated { channel.close(mode: .all, promise: nil) }
        for channel in idle { Self.closeAfterWrites(channel) }
        if isEmpty { end.set() }
    }

    /// Half-closes a connection after all pending writes, and closes it after the linger time.
    ///
    /// If it were closed at once, a client that is still sending could lose the response.
    static func closeAfterWrites(_ channel: any Channel) {
        let written = channel.eventLoop.makePromise(of: Void.self)
        channel.close(mode: .output, promise: written)
        written.futureResult.whenComplete { _ in
            let timer = channel.eventLoop.scheduleTask(in: ConsoleLimits.lingerTime) {
                channel.close(mode: .all, promise: nil)
            }
            // The timer would hold the memory of a connection that its client has closed.
            channel.closeFuture.whenComplete { _ in timer.cancel() }
        }
    }

    /// Waits, after ``stopAccepting()``, until all pending responses were written.
    ///
    /// The wait does not end with the caller's task, which may be canceled at the end of a process.
    ///
    /// - Parameter limit: The time after which the remaining tasks are canceled. A second later, their connections are
    ///   closed.
    /// - Returns: Whether all tasks have ended.
    func finish(within limit: Duration) async -> Bool {
        if await hasEnded(within: limit) { return true }
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
        if await hasEnded(within: .seconds(1)) { return true }
        for channel in state.withLock({ $0.connections.values.map(\.channel) }) {
            channel.close(mode: .all, promise: nil)
        }
        return await hasEnded(within: .seconds(1))
    }

    private func hasEnded(within limit: Duration) async -> Bool {
        let wait = Task { [end] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = await end.waitUnlessCancelled() }
                group.addTask { try? await Task.sleep(for: limit) }
                await group.next()
                group.cancelAll()
            }
        }
        await wait.value
        return end.isSet
    }

    private func release(_ id: ID, on eventLoop: any EventLoop) {
        let (resume, mustTrim) = state.withLock { state in
            state.connections[id] = nil
            state.endedCount += 1
            return (state.resume, state.endedCount == capacity)
        }
        resume?()
        guard mustTrim else { return }
        // The allocator keeps the memory of ended connections until `malloc_trim` returns it to the system.
        eventLoop.scheduleTask(in: ConsoleLimits.trimDelay) { [self] in
            state.withLock { $0.endedCount = 0 }
            DispatchQueue.global().async { malloc_trim(0) }
        }
    }

    private func taskEnded(_ id: ID) {
        let isLast = state.withLock { state in
            state.tasks[id] = nil
            return state.isStopping && state.tasks.isEmpty
        }
        if isLast { end.set() }
    }
}
