package import AccessoryModel
internal import AsyncPrimitives
package import HAPCore
internal import HAPServer
package import Simulation
internal import Synchronization

/// The driver of an accessory, which is started again when it ends.
package final class HostedDriver: Sendable {
    /// The maximum number of writes that run at a time.
    package static let maximumCalls = 32
    /// The number of events in a second that are reported one by one.
    package static let eventsPerSecond = 100
    package static let maximumReadings = 32
    /// The time that a canceled driver has to end.
    private static let endTime = Duration.seconds(2)

    /// What a driver does now.
    package enum State: Sendable, Hashable {
        case running
        /// It has ended for this reason, and is started again after a while.
        case waiting(String)
        /// It may not run, or has been stopped, for this reason.
        case stopped(String)
    }

    package let setting: DriverSetting
    let store: DriverStore
    private let kind: DriverKind
    private let observer: any ServerObserver
    private let traffic: (any DriverTrafficObserver)?
    /// Announces services; `nil` if nothing is announced.
    let announcer: DriverAnnouncer?
    /// The folder for recordings; `nil` for none.
    let recordings: String?
    private let isFaulty: @Sendable () -> Bool
    private let takesFault: @Sendable (String, AccessoryID) async -> Double?
    /// The id of the accessory.
    package let aid: AccessoryID
    private let content: Mutex<Content>
    private let hasEnded = OneShot<Void>()
    /// Set when it listens for the first time, or when its first run has ended without that.
    private let firstListener = OneShot<Void>()

    private struct Content {
        weak var server: AccessoryServer?
        var accessory: DrivenAccessory
        var state = State.waiting("It starts.")
        var isReachable = false
        var picture: DriverPicture?
        /// The number of pictures that were shown until now.
        var pictureCount = 0
        var current: (run: DriverRun, driver: any Driver)?
        var task: Task<Void, Never>?
        var events = RateLimit(perSecond: HostedDriver.eventsPerSecond)
        var deviceEvents = RateLimit(perSecond: HostedDriver.eventsPerSecond)
        /// The events of a device whose seconds pass in no time.
        var burst = RateLimit(perSecond: 100 * HostedDriver.eventsPerSecond)
    }

    init(
        _ kind: DriverKind,
        _ setting: DriverSetting,
        of accessory: DrivenAccessory,
        _ aid: AccessoryID,
        on server: AccessoryServer?,
        store: DriverStore,
        observer: any ServerObserver,
        traffic: (any DriverTrafficObserver)? = nil,
        announcer: DriverAnnouncer? = nil,
        recordings: String? = nil,
        hasFaults: @escaping @Sendable () -> Bool = { false },
        takesFault: @escaping @Sendable (String, AccessoryID) async -> Double?
    ) {
        (self.kind, self.setting, self.store) = (kind, setting, store)
        (self.observer, self.traffic, self.announcer) = (observer, traffic, announcer)
        (isFaulty, self.takesFault, self.recordings) = (hasFaults, takesFault, recordings)
        self.aid = aid
        content = Mutex(Content(server: server, accessory: accessory))
    }

    // MARK: What it is

    package var accessory: DrivenAccessory { content.withLock(\.accessory) }
    package var state: State { content.withLock(\.state) }
    package var isReachable: Bool { content.withLock(\.isReachable) }
    /// The addresses on which it listens.
    package var endpoints: [DriverEndpoint] { content.withLock(\.current)?.run.endpoints ?? [] }
    var server: AccessoryServer? { content.withLock(\.server) }
    /// What the driver shows now.
    package internal(set) var picture: DriverPicture? {
        get { content.withLock(\.picture) }
        set {
            content.withLock { content in
                content.picture = newValue
                if newValue != nil { content.pictureCount += 1 }
            }
        }
    }
    /// A number that another picture does not have; `nil` without a picture.
    package var pictureNumber: Int? { content.withLock { $0.picture == nil ? nil : $0.pictureCount } }

    /// The values of the characteristics that it answers for.
    var values: [CharacteristicKey: CharacteristicValue] {
        get async {
            guard let server else { return [:] }
            var values: [CharacteristicKey: CharacteristicValue] = [:]
            for key in accessory.drivenKeys {
                guard let id = await server.id(of: key) else { continue }
                values[key] = await server.value(of: id)
            }
            return values
        }
    }

    /// What no characteristic shows; empty if the driver does not answer within a second.
    package var readings: [DeviceReading] {
        get async {
            guard let driver = content.withLock(\.current)?.driver else { return [] }
            let result = OneShot<[DeviceReading]>()
            let task = Task(executorPreference: ServiceThread.executor) { result.set(await driver.readings()) }
            let readings = await withTimeLimit(.seconds(1)) { await result.waitUnlessCancelled() ?? [] } ?? []
            task.cancel()
            return readings.prefix(Self.maximumReadings)
                .map { reading in
                    guard case .text(let text) = reading.value else { return reading }
                    return DeviceReading(reading.name, text: text.prefix(utf8Bytes: 256))
                }
        }
    }

    /// Waits until a driver that listens has begun to, or has failed; at most 10 s.
    func waitForListener() async {
        guard kind.definition.listens, content.withLock({ $0.task != nil }) else { return }
        _ = await withTimeLimit(.seconds(10)) { await self.firstListener.waitUnlessCancelled() }
    }

    func listens(on endpoint: DriverEndpoint) {
        emit(DriverEvent("listening", ["address": "\(endpoint)"]), fromDevice: false)
        firstListener.set()
    }

    // MARK: Life

    /// Starts the driver; it runs until ``stop()``.
    func start() {
        let task = Task(executorPreference: ServiceThread.executor) { [self] in
            await runRepeatedly()
            hasEnded.set()
        }
        content.withLock { $0.task = task }
    }

    /// Does not start the driver, for a reason.
    func refuse(_ reason: String) {
        content.withLock { $0.state = .stopped(reason) }
        emit(DriverEvent("refused", ["reason": reason], isWarning: true), fromDevice: false)
    }

    private func runRepeatedly() async {
        var backOff = DriverBackOff()
        while !Task.isCancelled {
            let run = DriverRun(self)
            guard let driver = kind.make(setting.parameters, DriverPort(run)) else { return }
            content.withLock { content in
                content.current = (run, driver)
                content.state = .running
            }
            emit(DriverEvent("started"), fromDevice: false)
            let start = MonotonicInstant.now
            let outcome = await Result { () async throws in try await driver.run() }
            await end(run)
            firstListener.set()
            guard !Task.isCancelled else { return }
            let delay = backOff.delay(afterRunning: start.duration(to: .now), jitter: .random(in: 0...0.2))
            let reason = if case .failure(let error) = outcome { "\(error)" } else { "It returned." }
            content.withLock { $0.state = .waiting(reason) }
            let details = ["reason": reason.prefix(utf8Bytes: 256), "restart": "in \(delay.components.seconds) s"]
            emit(DriverEvent("ended", details, isWarning: true), fromDevice: false)
            try? await Task.sleep(for: delay)
        }
    }

    private func end(_ run: DriverRun) async {
        run.close()
        content.withLock { content in
            if content.current?.run === run { content.current = nil }
        }
        await run.end()
        await setReachable(false)
    }

    /// Cancels the driver: from now on, it has no effect.
    func cancel() {
        let (run, task) = content.withLock { content in
            content.state = .stopped("It was stopped.")
            return (content.current?.run, content.task)
        }
        run?.cancel()
        task?.cancel()
    }

    /// Cancels the driver, and returns when it has ended, or when it was abandoned.
    func stop() async {
        cancel()
        guard content.withLock(\.task) != nil,
            await withTimeLimit(Self.endTime, { await self.hasEnded.waitUnlessCancelled() }) ?? nil == nil
        else { return }
        if let run = content.withLock(\.current)?.run { await end(run) }
        emit(DriverEvent("abandoned", isWarning: true), fromDevice: false)
    }

    /// Serves a new version of the accessory with the same driver.
    func accessoryChanged(to accessory: DrivenAccessory) {
        let run = content.withLock { content in
            content.accessory = accessory
            return content.current?.run
        }
        run?.accessoryChanged(to: accessory)
    }

    // MARK: What it does

    func write(_ request: DriverWriteRequest) async -> [DriverWriteResult] {
        guard let (run, driver) = content.withLock(\.current) else { return [] }
        return await run.write(request, by: driver)
    }

    /// Asks the driver to do something, and returns what was done.
    ///
    /// - Throws: ``SimulationError`` if the driver does not run, refuses, or ends meanwhile.
    package func perform(_ action: DriverAction) async throws(SimulationError) -> String {
        guard let (run, driver) = content.withLock(\.current), run.isOpen else { throw .driverIsDown(accessory.name) }
        let result = OneShot<Result<String, SimulationError>>()
        let forget = run.own { result.set(.failure(.driverEnded)) }
        defer { forget() }
        let task = Task(executorPreference: ServiceThread.executor) {
            result.set(await Result { () async throws(SimulationError) in try await driver.perform(action) })
        }
        // The run may end before the driver answers.
        defer { task.cancel() }
        guard let outcome = await result.waitUnlessCancelled() else { throw .cancelled }
        return try outcome.get()
    }

    /// Passes on what the simulated device does to others.
    ///
    /// - Parameter now: The time of the device.
    func perform(_ effects: [DeviceEffect], at now: MonotonicInstant) {
        let run = content.withLock(\.current)?.run
        for effect in effects {
            switch effect {
            case .send(let message): run?.send(message)
            case .report(let event): emit(event, fromDevice: true, at: now)
            case .operate: break
            }
        }
    }

    /// Whether messages of the driver are wanted for a trace.
    var isTraced: Bool { traffic?.isWanted.isOn ?? false }

    func trace(_ message: DriverMessage, size: Int) { traffic?.observe(message, of: accessory.key, size: size) }

    var hasFaults: Bool { isFaulty() }

    func take(fault name: String) async -> Double? { await takesFault(name, aid) }

    func setReachable(_ isReachable: Bool) async {
        let (server, key, hasChanged) = content.withLock { content in
            defer { content.isReachable = isReachable }
            return (content.server, content.accessory.key, content.isReachable != isReachable)
        }
        guard hasChanged else { return }
        await server?.setReachable(isReachable, accessory: key)
        emit(DriverEvent(isReachable ? "reachable" : "unreachable", isWarning: !isReachable), fromDevice: false)
    }

    /// Reports an event.
    ///
    /// - Parameters:
    ///   - fromDevice: Whether it counts for the limit of events.
    ///   - time: The time of the simulated device, whose seconds count, too, because they may pass in no time.
    func emit(_ event: DriverEvent, fromDevice: Bool, at time: MonotonicInstant? = nil) {
        guard fromDevice else { return observer.observe(.driverEvent(aid, event)) }
        let (isAdmitted, skipped) = content.withLock { content in
            if let time, content.deviceEvents.admit(at: time).isAdmitted, content.burst.admit(at: .now).isAdmitted {
                return (true, 0)
            }
            return content.events.admit(at: .now)
        }
        if skipped > 0 {
            observer.observe(.driverEvent(aid, DriverEvent("events-skipped", ["count": "\(skipped)"], isWarning: true)))
        }
        if isAdmitted { observer.observe(.driverEvent(aid, event)) }
    }
}

/// The time until a driver that has ended is started again: 1 s, 2 s, 4 s … 60 s, each up to a fifth longer.
struct DriverBackOff {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    private var next = first

    /// Returns the next delay; after a run of a minute, it is the first one again.
    ///
    /// - Parameter jitter: The part by which it is longer, so that many drivers do not start at the same time.
    mutating func delay(afterRunning time: Duration, jitter: Double) -> Duration {
        if time >= Self.longest { next = Self.first }
        defer { next = min(next * 2, Self.longest) }
        return next * (1 + jitter)
    }
}

extension SimulationError {
    fileprivate static func driverIsDown(_ name: String) -> SimulationError {
        SimulationError(
            .refused,
            "The driver of \(name.escapingControlCharacters) is not running.",
            "Wait until it has started, or read the log."
        )
    }

    fileprivate static let driverEnded = SimulationError(
        .refused,
        "The driver has ended before it has answered.",
        "Try again when it is running."
    )
}
