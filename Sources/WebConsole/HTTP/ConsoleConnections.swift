internal import AsyncPrimitives
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
        var hasAccess: Bool
        /// Whether a request that was received completely is being answered.
        var isAnswering = false
    }

    private struct State {
        /// The connections that take up a place.
        var connections: [ID: Connection] = [:]
        /// The tasks of all connections, also of those that were closed a moment ago.
        var tasks: [ID: Task<Void, Never>] = [:]
        var lastID: ID = 0
        var isStopping = false
        var resume: (@Sendable () -> Void)?

        /// The connection that gives way to a new one: the oldest without access, unless it is new itself.
        var evictable: ID? {
            let others = connections.filter { !$0.value.hasAccess }
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
    var answeringCount: Int { state.withLock { $0.connections.values.count { $0.isAnswering } } }

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

    /// Adds a connection, if necessary in the place of one that has not shown access, and handles it in a task of its
    /// own.
    ///
    /// There can be one connection more than places: one that was about to be accepted when the last one showed access.
    ///
    /// - Parameters:
    ///   - hasAccess: Whether the connection has access from the beginning, as on a Unix socket.
    ///   - handle: Handles the connection until its end. It is called for every channel, so that none is released
    ///     before it is finished; while the listener stops, the channel is closed by then.
    func open(
        _ channel: any Channel,
        hasAccess: Bool,
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
            state.connections[id] = Connection(channel: channel, openedAt: .now(), hasAccess: hasAccess)
            return (id, evicted)
        }
        channel.closeFuture.whenComplete { _ in self.release(id) }
        unwanted?.close(mode: .all, promise: nil)
    }

    /// Records that a connection has shown access, so that it is not evicted.
    func grantAccess(to id: ID) {
        state.withLock { $0.connections[id]?.hasAccess = true }
    }

    /// Records that a request is complete and is being answered.
    ///
    /// - Returns: `false` if the request came too late: the listener stops, or the connection was evicted.
    func beginAnswer(on id: ID) -> Bool {
        state.withLock { state in
            guard !state.isStopping, state.connections[id] != nil else { return false }
            state.connections[id]?.isAnswering = true
            return true
        }
    }

    /// Records that a request was answered, or is answered by a stream, which has no end to wait for.
    ///
    /// - Returns: Whether the connection may send another request.
    @discardableResult
    func endAnswer(on id: ID) -> Bool {
        state.withLock { state in
            state.connections[id]?.isAnswering = false
            return !state.isStopping
        }
    }

    /// Accepts no more connections and requests, and closes the connections that have no access, or do not wait for an
    /// answer.
    func stopAccepting() {
        let (idle, isEmpty) = state.withLock { state in
            state.isStopping = true
            let idle = state.connections.values.filter { !$0.hasAccess || !$0.isAnswering }
            return (idle.map(\.channel), state.tasks.isEmpty)
        }
        for channel in idle { channel.close(mode: .all, promise: nil) }
        if isEmpty { end.set() }
    }

    /// Waits, after ``stopAccepting()``, until all pending answers were written.
    ///
    /// - Parameter limit: The time after which the remaining connections are closed, and their tasks are canceled.
    /// - Returns: Whether all tasks have ended.
    func finish(within limit: Duration) async -> Bool {
        if await ended(within: limit) { return true }
        let (channels, tasks) = state.withLock { ($0.connections.values.map(\.channel), Array($0.tasks.values)) }
        for channel in channels { channel.close(mode: .all, promise: nil) }
        for task in tasks { task.cancel() }
        return await ended(within: .seconds(1))
    }

    private func ended(within limit: Duration) async -> Bool {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [end] in _ = await end.waitUnlessCancelled() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        return end.isSet
    }

    private func release(_ id: ID) {
        let resume = state.withLock { state in
            state.connections[id] = nil
            return state.resume
        }
        resume?()
    }

    private func taskEnded(_ id: ID) {
        let isLast = state.withLock { state in
            state.tasks[id] = nil
            return state.isStopping && state.tasks.isEmpty
        }
        if isLast { end.set() }
    }
}
