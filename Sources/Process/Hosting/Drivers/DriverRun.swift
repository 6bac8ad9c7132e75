internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import HAPServer
internal import Synchronization

/// One run of a driver, from its start until it has ended and its sockets are closed.
final class DriverRun: Sendable {
    /// The maximum number of messages that wait for a peer.
    private static let maximumMessages = 64

    /// The driver, which releases the run when it has ended.
    let driver: HostedDriver
    private let state = Mutex(State())

    private struct State {
        /// Whether calls have an effect.
        var isOpen = true
        var isClosed = false
        var lastNumber: UInt64 = 0
        /// What must be closed at the end.
        var owned: [UInt64: @Sendable () -> Void] = [:]
        var endpoints: [UInt64: String] = [:]
        /// The running calls of `write`.
        var calls: [UInt64: OneShot<[DriverWriteResult]>] = [:]
        var messages: [PeerID: AsyncStream<PeerMessage>.Continuation] = [:]
        var accessories: [UInt64: AsyncStream<DrivenAccessory>.Continuation] = [:]
    }

    init(_ driver: HostedDriver) {
        self.driver = driver
    }

    var isOpen: Bool { state.withLock(\.isOpen) }

    /// The addresses on which the driver listens.
    var endpoints: [String] { state.withLock { $0.endpoints.values.sorted() } }

    // MARK: End

    /// Makes all later calls of the port ineffective.
    func cancel() { state.withLock { $0.isOpen = false } }

    /// Closes everything that the run owns, and answers what waits for it.
    func close() {
        let (owned, calls, messages, accessories) = state.withLock { state in
            state.isOpen = false
            state.isClosed = true
            defer { (state.owned, state.calls, state.messages, state.accessories) = ([:], [:], [:], [:]) }
            return (state.owned.values, state.calls.values, state.messages.values, state.accessories.values)
        }
        for close in owned { close() }
        for call in calls { call.set([]) }
        for stream in messages { stream.finish() }
        for stream in accessories { stream.finish() }
    }

    /// Closes something at the end of the run; at once if the run has ended.
    ///
    /// - Parameter endpoint: The address on which it listens.
    /// - Returns: A function that forgets it.
    func own(listeningOn endpoint: String? = nil, _ close: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.lastNumber += 1
            state.owned[state.lastNumber] = close
            state.endpoints[state.lastNumber] = endpoint
            return state.lastNumber
        }
        guard let number else {
            close()
            return {}
        }
        return { [weak self] in
            self?.state
                .withLock { state in
                    state.owned[number] = nil
                    state.endpoints[number] = nil
                }
        }
    }

    // MARK: Values

    func report(_ reports: [DriverReport]) async -> [CharacteristicKey] {
        guard isOpen, let server = driver.server else { return [] }
        let key = driver.accessory.key
        let own = reports.filter { $0.key.accessory == key }
        let foreign = reports.filter { $0.key.accessory != key }.map(\.key)
        return await server.report(own) + foreign
    }

    func setReachable(_ isReachable: Bool) async {
        guard isOpen else { return }
        await driver.setReachable(isReachable)
    }

    func emit(_ event: DriverEvent) {
        if isOpen { driver.emit(event, fromDevice: true) }
    }

    /// Calls the driver, and returns its results; none when the run or the caller's task ends first.
    func write(_ request: DriverWriteRequest, by target: any Driver) async -> [DriverWriteResult] {
        let result = OneShot<[DriverWriteResult]>()
        let isAccepted: Bool? = state.withLock { state in
            guard state.isOpen else { return nil }
            guard state.calls.count < HostedDriver.maximumCalls else { return false }
            state.calls[request.number] = result
            return true
        }
        guard let isAccepted else { return [] }
        guard isAccepted else { return request.writes.map { DriverWriteResult($0.key, .busy) } }
        let task = Task(executorPreference: ServiceThread.executor) { [self] in
            let results = await target.write(request)
            // A driver that ignores its cancellation keeps its place.
            _ = state.withLock { $0.calls.removeValue(forKey: request.number) }
            result.set(results)
        }
        let results = await result.waitUnlessCancelled()
        if results == nil || !isOpen { task.cancel() }
        return results ?? []
    }

    // MARK: Peers

    func deliver(_ event: PeerEvent) async {
        if case .left(let peer) = event {
            state.withLock { $0.messages.removeValue(forKey: peer) }?.finish()
        }
        guard isOpen, let server = driver.server else { return }
        await server.receive(event, accessory: driver.accessory.key)
    }

    func messages(to peer: PeerID) -> AsyncStream<PeerMessage> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PeerMessage.self,
            bufferingPolicy: .bufferingOldest(Self.maximumMessages)
        )
        let isOpen = state.withLock { state in
            if state.isOpen { state.messages[peer] = continuation }
            return state.isOpen
        }
        if !isOpen { continuation.finish() }
        return stream
    }

    func send(_ messages: [PeerMessage]) {
        for message in messages {
            guard let stream = state.withLock({ $0.messages[message.peer] }) else { continue }
            guard case .dropped = stream.yield(message) else { continue }
            _ = state.withLock { $0.messages.removeValue(forKey: message.peer) }
            stream.finish()
        }
    }

    // MARK: Accessories

    func accessoryChanges() -> AsyncStream<DrivenAccessory> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DrivenAccessory.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            state.accessories[number] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.accessories[number] = nil }
            }
        }
        return stream
    }

    func accessoryChanged(to accessory: DrivenAccessory) {
        for stream in state.withLock({ Array($0.accessories.values) }) { stream.yield(accessory) }
    }
}
