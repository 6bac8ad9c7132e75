internal import AccessoryModel
internal import AsyncPrimitives
internal import Discovery
internal import HAPCore
internal import HAPServer
internal import Synchronization

/// One run of a driver, from its start until it has ended and its sockets are closed.
final class DriverRun: Sendable {
    /// The maximum number of messages that wait for a peer.
    private static let maximumMessages = 1_024

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
        var endpoints: [UInt64: DriverEndpoint] = [:]
        var announcements: [AnnouncementID: any Advertiser] = [:]
        /// The running calls of `write`.
        var calls: [UInt64: OneShot<[DriverWriteResult]>] = [:]
        var messages: [PeerID: AsyncStream<PeerMessage>.Continuation] = [:]
        var accessories: [UInt64: AsyncStream<DrivenAccessory>.Continuation] = [:]
    }

    init(_ driver: HostedDriver) {
        self.driver = driver
    }

    var isOpen: Bool { state.withLock(\.isOpen) }

    /// A service that is announced: its type, and the port of its listener.
    private struct AnnouncementID: Hashable {
        let type: String
        let port: UInt16
    }

    /// The addresses on which the driver listens, in the order in which they were opened.
    var endpoints: [DriverEndpoint] {
        state.withLock { state in state.endpoints.sorted { $0.key < $1.key }.map(\.value) }
    }

    // MARK: End

    /// Makes all later calls of the port ineffective, and withdraws the announcements.
    func cancel() {
        let announcements = state.withLock { state in
            state.isOpen = false
            return state.announcements.values
        }
        for advertiser in announcements { advertiser.withdraw() }
    }

    /// Closes everything that the run owns, and returns when its services are withdrawn.
    func end() async {
        close()
        let announcements = state.withLock { state in
            defer { state.announcements = [:] }
            return state.announcements.values
        }
        await withDiscardingTaskGroup { group in
            for advertiser in announcements { group.addTask { await advertiser.stop() } }
        }
        driver.announcer?.release(announcements.count)
    }

    /// Closes the sockets that the run owns, and answers what waits for it.
    func close() {
        let (owned, calls, messages, accessories) = state.withLock { state in
            state.isOpen = false
            state.isClosed = true
            defer { (state.owned, state.calls, state.messages, state.accessories) = ([:], [:], [:], [:]) }
            return (state.owned, state.calls.values, state.messages.values, state.accessories.values)
        }
        driver.picture = nil
        // In the order of opening, so that a listener closes before its connections.
        for (_, close) in owned.sorted(by: { $0.key < $1.key }) { close() }
        for call in calls { call.set([]) }
        for stream in messages { stream.finish() }
        for stream in accessories { stream.finish() }
    }

    /// Closes something at the end of the run; at once if the run has ended.
    ///
    /// - Parameter endpoint: The address on which it listens.
    /// - Returns: A function that forgets it.
    func own(listeningOn endpoint: DriverEndpoint? = nil, _ close: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
    {
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
        if let endpoint { driver.listens(on: endpoint) }
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

    // MARK: Announcements

    /// Announces a service of a listener, or replaces its text.
    func announce(_ type: String, _ name: InstanceName, _ text: TXTRecord, of listener: DriverListener) {
        let id = AnnouncementID(type: type, port: listener.endpoint.port)
        let record = ServiceRecord(
            type: type,
            name: name,
            port: id.port,
            text: text,
            interface: listener.endpoint.interface
        )
        let new: (any Advertiser)? = state.withLock { state in
            guard state.isOpen else { return nil }
            if let advertiser = state.announcements[id] {
                advertiser.update(record)
                return nil
            }
            let advertiser = driver.announcer?.makeAdvertiser()
            state.announcements[id] = advertiser
            return advertiser
        }
        new?.start(record) { [weak self] in self?.announcementChanged($0, of: type) }
    }

    /// Withdraws a service of a listener.
    func withdraw(_ type: String, of listener: DriverListener) {
        let id = AnnouncementID(type: type, port: listener.endpoint.port)
        // It is announced again by the next call of `announce`.
        state.withLock { $0.announcements[id] }?.withdraw()
    }

    func show(_ picture: DriverPicture?) {
        if isOpen { driver.picture = picture }
    }

    private func announcementChanged(_ advertiser: AdvertiserState, of type: String) {
        guard isOpen else { return }
        switch advertiser {
        case .advertised(let name, _):
            driver.emit(DriverEvent("announced", ["service": type, "name": name]), fromDevice: false)
        case .unavailable(let error, _):
            let details = ["service": type, "reason": "\(error)".prefix(utf8Bytes: 256)]
            driver.emit(DriverEvent("unannounced", details, isWarning: true), fromDevice: false)
        case .idle, .registering, .withdrawing, .stopped: break
        }
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

    func send(_ message: PeerMessage) {
        guard let stream = state.withLock({ $0.messages[message.peer] }),
            case .dropped = stream.yield(message)
        else { return }
        _ = state.withLock { $0.messages.removeValue(forKey: message.peer) }
        stream.finish()
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
