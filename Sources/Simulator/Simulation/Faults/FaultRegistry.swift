package import AccessoryModel
package import HAPCore

/// The active faults of one server, and their decisions.
///
/// The clock and the seed of random numbers are passed in, so the same calls give the same answers. The registry makes
/// the decisions of a `FaultInjection`. Effects without an injection point, such as closing all connections, must be
/// performed by its owner when it adds the fault.
package struct FaultRegistry: Sendable {
    /// The active faults, in the order in which they were added.
    package private(set) var active: [ActiveFault] = []
    /// The characteristics of the server that faults can affect.
    package var context: FaultContext

    /// The last press of each button that was reported while a quirk remembers it.
    var presses: [CharacteristicID: JSONValue] = [:]
    private var random: SeededRandom
    private var lastID: UInt64 = 0

    /// Creates a registry without faults.
    package init(seed: UInt64 = 0, context: FaultContext = FaultContext()) {
        random = SeededRandom(seed: seed)
        self.context = context
    }

    /// Adds a fault, and returns its id and the events to report.
    ///
    /// A momentary fault ends immediately. A limit that the fault does not support is ignored; a count below 1 becomes
    /// 1.
    @discardableResult
    package mutating func add(_ fault: Fault, at now: MonotonicInstant) -> (id: FaultID, news: [FaultEvent]) {
        lastID += 1
        let id = FaultID(lastID)
        if fault.effect == .quirk(.rememberedPress) { presses = [:] }
        switch fault.effect.occurrence {
        case .momentary where fault.effect.fixedDuration == nil:
            return (id, [.applied(fault, on: "the server"), .finished(fault)])
        case .momentary, .lasting:
            active.append(ActiveFault(id: id, fault: fault, remaining: nil, deadline: deadline(of: fault, from: now)))
            return (id, [.applied(fault, on: "the server")])
        case .repeated:
            let remaining = fault.limit.count.map { max(1, $0) }
            let deadline = deadline(of: fault, from: now)
            active.append(ActiveFault(id: id, fault: fault, remaining: remaining, deadline: deadline))
            return (id, [])
        }
    }

    /// Removes faults, and returns the events to report.
    package mutating func clear(where matches: (ActiveFault) -> Bool) -> [FaultEvent] {
        let cleared = active.filter(matches)
        active.removeAll(where: matches)
        return cleared.map { .finished($0.fault) }
    }

    /// The earliest time at which a fault ends by itself; `nil` if there is none.
    package var nextDeadline: MonotonicInstant? {
        active.lazy.compactMap(\.deadline).min()
    }

    /// Removes the faults whose time is over, and returns the events to report.
    package mutating func advance(to now: MonotonicInstant) -> [FaultEvent] {
        let over = active.filter { $0.isExpired(at: now) }
        guard !over.isEmpty else { return [] }
        active.removeAll { $0.isExpired(at: now) }
        let ordered = over.enumerated()
            .sorted { ($0.element.deadline ?? now, $0.offset) < ($1.element.deadline ?? now, $1.offset) }
        return ordered.map { .finished($0.element.fault) }
    }

    /// The conditions of the server under the active faults; if two faults contradict each other, the later one
    /// applies.
    package var conditions: ServerConditions {
        var conditions = ServerConditions()
        for entry in active {
            switch entry.fault.effect {
            case .networkLoss(.refuse) where conditions.reachability != .rebooting: conditions.reachability = .refusing
            case .networkLoss(.silence) where conditions.reachability != .rebooting:
                conditions.reachability = .unresponsive
            case .reboot: conditions.reachability = .rebooting
            case .configurationNumber(let number): conditions.overrides.configurationNumber = number
            case .statusFlag(let flags): conditions.overrides.statusFlags = flags
            case .wrongPort(let port): conditions.overrides.port = port
            case .vanish: conditions.isAnnounced = false
            case .quirk(.coalescing(.none)): conditions.eventTiming = .immediate
            case .quirk(.coalescing(let collection)): conditions.eventTiming = .batched(collection.duration)
            case .networkLoss, .latency, .status, .silence, .halfResponse, .resetInResponse, .corruptFrame,
                .slowPairSetup, .unreachable, .dropEvents, .delayEvents, .duplicateEvents, .echoEvents,
                .eventsAfterUnsubscribe, .refuseConnections, .closeConnections, .connectionLimit, .forgetPairings,
                .driver, .quirk:
                break
            }
        }
        return conditions
    }

    /// The time of a decision, with the events to report.
    struct Evaluation {
        let now: MonotonicInstant
        var events: [FaultEvent] = []
    }

    /// Applies all faults that respond to an event, or only the first one, and returns their responses.
    mutating func applyFaults<Answer>(
        on place: @autoclosure () -> String,
        firstOnly: Bool = false,
        _ moment: inout Evaluation,
        _ response: (Fault) -> Answer?
    ) -> [Answer] {
        var responses: [Answer] = []
        var isAnyOver = false
        for index in active.indices where !active[index].isExpired(at: moment.now) {
            let fault = active[index].fault
            guard let given = response(fault) else { continue }
            responses.append(given)
            if fault.effect.occurrence == .repeated {
                moment.events.append(.applied(fault, on: place()))
            }
            if let remaining = active[index].remaining {
                active[index].remaining = remaining - 1
                isAnyOver = isAnyOver || remaining <= 1
            }
            if firstOnly { break }
        }
        if isAnyOver {
            moment.events += clear { $0.remaining == 0 }
        }
        return responses
    }

    /// The longest delay that a single fault causes, so that sums of delays cannot overflow.
    static let longestDelay = Duration.seconds(86_400)

    /// Returns a random duration in a range.
    mutating func draw(from range: ClosedRange<Duration>) -> Duration {
        let (least, most) = (min(range.lowerBound, Self.longestDelay), min(range.upperBound, Self.longestDelay))
        return least == most ? least : random.duration(in: least...most)
    }

    private func deadline(of fault: Fault, from now: MonotonicInstant) -> MonotonicInstant? {
        (fault.effect.fixedDuration ?? fault.limit.duration).map { now.advanced(by: max(.zero, $0)) }
    }
}

/// An active fault and its remaining limits.
package struct ActiveFault: Sendable, Hashable {
    /// The id that clears the fault.
    package let id: FaultID
    /// The fault.
    package let fault: Fault
    /// The number of times that the fault still acts; `nil` for no limit.
    package internal(set) var remaining: Int?
    /// The end of the fault, on the simulation's clock; `nil` if it does not end by itself.
    package let deadline: MonotonicInstant?

    /// Returns whether the fault's time is over.
    func isExpired(at now: MonotonicInstant) -> Bool {
        deadline.map { $0 <= now } ?? false
    }
}

/// The id of a fault in a registry, which clears it; ids are not reused.
package struct FaultID: Sendable, Hashable {
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// An event of a fault that is reported to users.
package enum FaultEvent: Sendable, Hashable {
    /// The fault acted on this.
    case applied(Fault, on: String)
    /// The fault ended.
    case finished(Fault)

    /// The fault of the event.
    package var fault: Fault {
        switch self {
        case .applied(let fault, _), .finished(let fault): fault
        }
    }
}

extension FaultEvent: CustomStringConvertible {
    /// A sentence that names the object on which the fault acted, or says that the fault has ended.
    package var description: String {
        switch self {
        case .applied(let fault, let place): "Fault \(fault.name) was applied to \(place)."
        case .finished(let fault): "Fault \(fault.name) has ended."
        }
    }
}

/// The characteristics of the server that faults can affect.
package struct FaultContext: Sendable, Hashable {
    /// The service that each characteristic belongs to.
    package var services: [CharacteristicID: ServiceKey]
    /// The characteristics of the format bool.
    package var booleans: Set<CharacteristicID>
    /// The characteristics whose events are presses of a button.
    package var buttons: Set<CharacteristicID>

    /// Creates a context; without arguments, faults on services affect nothing.
    package init(
        services: [CharacteristicID: ServiceKey] = [:],
        booleans: Set<CharacteristicID> = [],
        buttons: Set<CharacteristicID> = []
    ) {
        self.services = services
        self.booleans = booleans
        self.buttons = buttons
    }

    /// Returns whether a characteristic is within a scope.
    func contains(_ id: CharacteristicID, in scope: FaultScope) -> Bool {
        switch scope {
        case .server: true
        case .accessory(let aid): id.aid == aid
        case .service(let aid, let key): id.aid == aid && services[id] == key
        case .characteristic(let characteristic): id == characteristic
        }
    }

    /// Returns whether one scope lies within another.
    package func contains(_ inner: FaultScope, in outer: FaultScope) -> Bool {
        switch (outer, inner) {
        case (_, .characteristic(let id)): contains(id, in: outer)
        case (.server, _): true
        case (.accessory(let aid), .accessory(let other)), (.accessory(let aid), .service(let other, _)): aid == other
        case (.service, .service): outer == inner
        case (.accessory, .server), (.service, .server), (.service, .accessory), (.characteristic, _): false
        }
    }
}
