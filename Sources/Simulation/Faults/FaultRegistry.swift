package import AccessoryModel
package import HAPCore

/// The faults of one server, and what each of them does to what happens there.
///
/// A value on a clock that is passed in, with chance from a seed: the same calls give the same answers. It answers as an
/// `FaultInjection` does; what cannot be answered at a point, such as closing all connections, its owner does when it adds
/// the fault.
package struct FaultRegistry: Sendable {
    /// The faults that are not over, in the order in which they were added.
    package private(set) var active: [ActiveFault] = []
    /// What the faults are put on.
    package var context: FaultContext

    private var random: SeededRandom
    private var lastID: UInt64 = 0

    /// Creates a board without faults.
    package init(seed: UInt64 = 0, context: FaultContext = FaultContext()) {
        random = SeededRandom(seed: seed)
        self.context = context
    }

    /// Puts a fault on the board, and answers with what is to be told of that.
    ///
    /// A fault that happens once is over at once. A limit that its kind does not take is ignored; a count below 1 is 1.
    @discardableResult
    package mutating func add(_ fault: Fault, at now: MonotonicInstant) -> (id: FaultID, news: [FaultEvent]) {
        lastID += 1
        let id = FaultID(lastID)
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

    /// Takes faults off the board, and answers with what is to be told of that.
    package mutating func clear(where matches: (ActiveFault) -> Bool) -> [FaultEvent] {
        let cleared = active.filter(matches)
        active.removeAll(where: matches)
        return cleared.map { .finished($0.fault) }
    }

    /// When a fault is over by itself next; `nil` while none is.
    package var nextDeadline: MonotonicInstant? {
        active.lazy.compactMap(\.deadline).min()
    }

    /// Takes the faults off the board whose time is over, and answers with what is to be told of that.
    package mutating func advance(to now: MonotonicInstant) -> [FaultEvent] {
        let over = active.filter { $0.isExpired(at: now) }
        guard !over.isEmpty else { return [] }
        active.removeAll { $0.isExpired(at: now) }
        let ordered = over.enumerated()
            .sorted { ($0.element.deadline ?? now, $0.offset) < ($1.element.deadline ?? now, $1.offset) }
        return ordered.map { .finished($0.element.fault) }
    }

    /// What holds as long as the faults are as they are; of two that contradict each other, what the later one says.
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
                .quirk:
                break
            }
        }
        return conditions
    }

    /// An instant, with what has become known of the faults at it.
    struct Evaluation {
        let now: MonotonicInstant
        var events: [FaultEvent] = []
    }

    /// Lets the faults act that answer something to what is about to happen, or the first of them alone; returns the
    /// answers.
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

    /// What a single fault delays something by at most, so that no sum of them is out of bounds.
    static let longestDelay = Duration.seconds(86_400)

    /// Draws a time from a range.
    mutating func draw(from range: ClosedRange<Duration>) -> Duration {
        let (least, most) = (min(range.lowerBound, Self.longestDelay), min(range.upperBound, Self.longestDelay))
        return least == most ? least : random.duration(in: least...most)
    }

    private func deadline(of fault: Fault, from now: MonotonicInstant) -> MonotonicInstant? {
        (fault.effect.fixedDuration ?? fault.limit.duration).map { now.advanced(by: max(.zero, $0)) }
    }
}

/// A fault that is on a board, and how far it has come.
package struct ActiveFault: Sendable, Hashable {
    /// What it is cleared by.
    package let id: FaultID
    /// What it does.
    package let fault: Fault
    /// How often it acts before it is over; `nil` for any number of times.
    package internal(set) var remaining: Int?
    /// When it is over, on the clock of the simulation; `nil` for never by itself.
    package let deadline: MonotonicInstant?

    /// Whether its time is over.
    func isExpired(at now: MonotonicInstant) -> Bool {
        deadline.map { $0 <= now } ?? false
    }
}

/// A fault on a board, to be cleared by; never given twice.
package struct FaultID: Sendable, Hashable {
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Something that people are told of a fault.
package enum FaultEvent: Sendable, Hashable {
    /// It does what it does, to this.
    case applied(Fault, on: String)
    /// It does nothing any more.
    case finished(Fault)

    /// Which fault it is about.
    package var fault: Fault {
        switch self {
        case .applied(let fault, _), .finished(let fault): fault
        }
    }
}

extension FaultEvent: CustomStringConvertible {
    /// A sentence: that a fault acts, and on what, or that it is over.
    package var description: String {
        switch self {
        case .applied(let fault, let place): "Fault \(fault.name) acts on \(place)."
        case .finished(let fault): "Fault \(fault.name) is over."
        }
    }
}

/// What a board knows of the server that its faults are put on.
package struct FaultContext: Sendable, Hashable {
    /// The service that each characteristic belongs to.
    package var services: [CharacteristicID: ServiceKey]
    /// The characteristics of the format bool.
    package var booleans: Set<CharacteristicID>

    /// Creates a ground; without arguments, faults on services concern nothing.
    package init(services: [CharacteristicID: ServiceKey] = [:], booleans: Set<CharacteristicID> = []) {
        self.services = services
        self.booleans = booleans
    }

    /// Whether a characteristic is within a scope.
    func contains(_ id: CharacteristicID, in scope: FaultScope) -> Bool {
        switch scope {
        case .server: true
        case .accessory(let aid): id.aid == aid
        case .service(let aid, let key): id.aid == aid && services[id] == key
        case .characteristic(let characteristic): id == characteristic
        }
    }

    /// Whether everything that one scope concerns is concerned by another.
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
