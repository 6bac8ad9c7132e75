package import AccessoryModel
internal import AsyncPrimitives
internal import HAPController
package import HAPCore
package import HAPServer
package import HomeModel
internal import Synchronization

/// A server of this process, as homes and scenarios run on it.
package struct ObservedServer: Sendable {
    package let server: AccessoryServer
    /// What people call it: the key of what it serves.
    package let name: String
    /// Forwards what happens in the server.
    package let events: ServerEventForwarder

    /// Takes a server that was started with a forwarder as its observer.
    package init(_ server: AccessoryServer, name: String, events: ServerEventForwarder) {
        self.server = server
        self.name = name
        self.events = events
    }
}

/// The accessories that servers of this process serve, without a network between.
///
/// The home's time is that of the behaviors: it begins with an instant, and goes as their clock does.
package struct InProcessBackend: HomeBackend {
    package let mailbox = BackendMailbox()
    let observedServers: [(id: DeviceID, member: ObservedServer)]
    private let observedServerByID: [DeviceID: ObservedServer]
    /// What the behaviors' clock showed at `start`.
    let origin: MonotonicInstant
    let start: WallInstant

    /// - Parameter start: What time it is now.
    package init(_ members: [ObservedServer], startingAt start: WallInstant) async {
        var known: [(id: DeviceID, member: ObservedServer)] = []
        for member in members {
            await known.append((member.server.information.deviceID, member))
        }
        self.observedServers = known
        observedServerByID = Dictionary(known.map { ($0.id, $0.member) }) { first, _ in first }
        origin = await members.first?.server.behaviorTime ?? .zero
        self.start = start
    }

    package func servers() async -> [BackendServer] {
        var servers: [BackendServer] = []
        for (id, member) in observedServers {
            let accessories = await member.server.attributes.remoteAccessories
            servers.append(BackendServer(id: id, alias: member.name, accessories: accessories))
        }
        return servers
    }

    package func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        guard let member = observedServerByID[request.server] else {
            let outcome = ActionResult.Outcome.unreachable("\(request.server) is not served here.")
            return Array(repeating: outcome, count: request.writes.count)
        }
        return await member.server.write(request.writes).map { ActionResult.Outcome($0) }
    }

    package func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue] {
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        for reference in references {
            values[reference] = await observedServerByID[reference.accessory.server]?.server.value(of: reference.id)
        }
        return values
    }

    package func observe(_ references: Set<CharacteristicReference>) async {
        await startObserving(references)
        defer { stopObserving() }
        await AsyncSignal.waitForCancellation()
    }

    /// Tells the present values, and what changes from then on.
    func startObserving(_ references: Set<CharacteristicReference>) async {
        let wanted = Dictionary(grouping: references, by: \.accessory.server)
        for (id, member) in observedServers {
            guard let ids = wanted[id]?.map(\.id).sorted() else { continue }
            await member.server.forward(member.events, ids, of: id, to: mailbox)
        }
    }

    /// Tells nothing any more.
    func stopObserving() {
        for (_, member) in observedServers {
            member.events.setHandler(for: mailbox, nil)
        }
    }
}

extension AccessoryServer {
    /// Tells the present values, and what changes from then on.
    ///
    /// In one call: a change between the two would be told before the value that was there before it.
    fileprivate func forward(
        _ events: ServerEventForwarder,
        _ ids: [CharacteristicID],
        of server: DeviceID,
        to mailbox: BackendMailbox
    ) {
        let wanted = Set(ids)
        events.setHandler(for: mailbox) { event in
            switch event {
            case .valueChanged(let id, _, let value, by: _) where wanted.contains(id):
                mailbox.send(.value(.init(id, of: server), value))
            case .configurationChanged: mailbox.send(.structureChanged(server))
            default: break
            }
        }
        mailbox.send(.reachable(server))
        for id in ids {
            if let value = value(of: id) {
                mailbox.send(.value(.init(id, of: server), value))
            }
        }
    }
}

/// An observer that forwards the events of a server of this process, to readers that may come once the server runs.
package final class ServerEventForwarder: ServerObserver {
    package let wantsItems: Bool
    private let handlers = Mutex<[ObjectIdentifier: @Sendable (ServerEvent) -> Void]>([:])

    /// Creates a forwarder without readers, before the server.
    ///
    /// - Parameter wantsItems: Whether readers also want each characteristic of requests and events.
    package init(wantsItems: Bool = false) {
        self.wantsItems = wantsItems
    }

    package func observe(_ event: ServerEvent) {
        handlers.withLock { sinks in
            for sink in sinks.values { sink(event) }
        }
    }

    /// Forwards what happens from now on, instead of where the reader had it forwarded before; `nil` ends it.
    ///
    /// - Parameter sink: Called on the server's event loop; must return quickly.
    package func setHandler(for reader: some AnyObject, _ sink: (@Sendable (ServerEvent) -> Void)?) {
        let id = ObjectIdentifier(reader)
        handlers.withLock { $0[id] = sink }
    }
}

extension InProcessBackend: SteppedHomeBackend {
    package var now: WallInstant {
        get async {
            guard let server = observedServers.first?.member.server else { return start }
            return wallInstant(await server.behaviorTime)
        }
    }

    /// What the clock shows, and the clock; `nil` without a server.
    var clockReading: (clock: BehaviorClock, now: WallInstant)? {
        get async {
            guard let reading = await observedServers.first?.member.server.behaviorClockSnapshot else { return nil }
            return (reading.clock, wallInstant(reading.time))
        }
    }

    package var nextChange: WallInstant? {
        get async {
            var next: WallInstant?
            for (_, member) in observedServers {
                guard let deadline = await member.server.nextBehaviorDeadline else { continue }
                next = min(next ?? .distantFuture, wallInstant(deadline))
            }
            return next
        }
    }

    /// Jumps with every server's clock, one after the other; the clocks must stand still for the world to be the same twice.
    package func advance(to instant: WallInstant) async {
        let target = behaviorTime(of: instant)
        for (_, member) in observedServers {
            await member.server.changeBehaviorClock { clock, now in clock.jump(to: target, at: now) }
        }
    }

    /// How long the machine's time takes until the home's is there; `nil` while the clock stands still.
    func machineDelay(until instant: WallInstant) async -> Duration? {
        await observedServers.first?.member.server.behaviorDelay(until: behaviorTime(of: instant))
    }

    /// What the home's clock shows at a time of the behaviors.
    package func wallInstant(_ time: MonotonicInstant) -> WallInstant {
        start.advanced(by: origin.duration(to: time))
    }

    /// The behaviors' time at which the home's clock shows an instant.
    package func behaviorTime(of instant: WallInstant) -> MonotonicInstant {
        origin.advanced(by: start.duration(to: instant))
    }
}

extension WallInstant {
    /// The end of the range.
    static var distantFuture: WallInstant { WallInstant(nanoseconds: .max) }
}
