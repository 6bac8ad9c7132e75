internal import DequeModule
internal import HAPCore

/// The accessories in this network as they were seen and told; performs nothing.
///
/// Each sighting of a name, on one interface and over one protocol, has a lookup that stays open, since only an open one
/// tells changes. Beyond ``maximumLookups`` the lookups take turns: what has an answer makes room, and is looked up
/// again after ``pause``.
struct Neighborhood {
    /// What the owner does next, in this order.
    enum Action: Hashable {
        /// Tell whoever listens.
        case tell(DiscoveryUpdate)
        /// Look up a service until ``endLookup(_:)``; if that fails at once, report ``Neighborhood/lookupFailed(_:at:)``.
        case lookUp(SeenService)
        /// Look it up no more.
        case endLookup(SeenService)
    }

    private enum Lookup {
        case waiting
        /// Asked for the first time, or again.
        case open
        /// Closed; it takes its turn later.
        case resting
    }

    private struct Sighting {
        var lookup = Lookup.waiting
        var found: FoundService?
        /// Whether it was answered, or failed, at least once.
        var isSettled = false
        /// In what order the answers came.
        var number = 0
    }

    /// How many names are noted; others of a network that is full of names are passed over.
    static let maximumServices = 4_096
    /// The longest name in bytes.
    static let maximumNameLength = 255
    /// How many places a name is noted at.
    static let maximumPlaces = 64
    /// How many places are noted, of all names together.
    static let maximumSightings = 8_192
    /// The most lookups that are open: half of what Avahi's daemon allows one client.
    static let maximumLookups = 512
    /// When a lookup that failed, or that made room for another, is begun again.
    static let pause = Duration.seconds(30)
    /// How long an answer waits for those of the name's other places.
    static let patience = Duration.milliseconds(500)
    /// How long whoever was there before the daemon went is waited for once everything that is known was told.
    ///
    /// A daemon that was just started asks at once, after 1 and after 3 s, and whoever has told everybody a moment before
    /// leaves the first question unanswered. Observed with Avahi 0.8.
    static let patienceForReturn = Duration.seconds(5)

    private var sightings: [SeenService: Sighting] = [:]
    private var places: [String: Set<SeenService>] = [:]
    /// Never looked up, the first one first.
    private var waiting = Deque<SeenService>()
    /// Open and answered, what has been silent for longest first; only those count whose last answer has this number.
    private var answered = Deque<(service: SeenService, number: Int)>()
    /// To be looked up again, each at its time; the times only grow.
    private var resting = Deque<(due: MonotonicInstant, service: SeenService)>()
    private var openLookups = 0
    private var unsettled = 0
    private var answers = 0
    /// Names with answers that wait for more.
    private var held: [String: MonotonicInstant] = [:]
    /// The same in the order of their times, with some that wait no more.
    private var heldInOrder = Deque<(due: MonotonicInstant, name: String)>()
    /// Told before the daemon went, and not found again.
    private var remembered: Set<String> = []
    /// When nobody waits for them any more.
    private var goodbyeDue: MonotonicInstant?
    private var told: [String: DiscoveredAccessory] = [:]
    private var state: DiscoveryUpdate?
    private var hasSeenAll = false
    private var hasToldAll = false
}

extension Neighborhood {
    /// When ``advance(to:)`` wants to be called, if at all.
    var nextDeadline: MonotonicInstant? {
        // When nothing can make room, an answer, a failure or a goodbye does, and each begins what is due.
        let hasRoom = openLookups < Self.maximumLookups || answered.first != nil
        return [heldInOrder.first?.due, hasRoom ? resting.first?.due : nil, goodbyeDue].compactMap { $0 }.min()
    }

    /// How many entries its queues hold, for what is there and for what is past.
    var queueLength: Int {
        waiting.count + answered.count + resting.count + heldInOrder.count
    }

    /// What somebody who begins to listen now is told.
    var presence: [DiscoveryUpdate] {
        let accessories = told.values.sorted { $0.name < $1.name }.map { DiscoveryUpdate.appeared($0) }
        return accessories + [state].compactMap { $0 } + (hasToldAll ? [.sawAll] : [])
    }

    /// The browse has begun: everything that is there will be named.
    mutating func browseBegan() -> [Action] {
        forgetSightings()
        return tell(.available)
    }

    /// The daemon cannot be asked, for this reason: nothing is known, and what was told stays until it is back.
    mutating func cannotLook(_ error: DiscoveryError) -> [Action] {
        forgetSightings()
        return tell(.unavailable(error))
    }

    /// A name is there, at one place.
    mutating func appeared(_ service: SeenService, at now: MonotonicInstant) -> [Action] {
        let siblings = places[service.name]
        guard sightings[service] == nil, sightings.count < Self.maximumSightings,
            service.name.utf8.count <= Self.maximumNameLength,
            siblings.map({ $0.count < Self.maximumPlaces }) ?? (places.count < Self.maximumServices)
        else { return [] }
        sightings[service] = Sighting()
        places[service.name, default: []].insert(service)
        unsettled += 1
        waiting.append(service)
        siftWaiting()
        return lookups(at: now)
    }

    /// A name is there no more, at one place.
    mutating func disappeared(_ service: SeenService, at now: MonotonicInstant) -> [Action] {
        guard let sighting = sightings.removeValue(forKey: service) else { return [] }
        places[service.name]?.remove(service)
        if places[service.name]?.isEmpty == true {
            places[service.name] = nil
        }
        if !sighting.isSettled {
            unsettled -= 1
        }
        var actions: [Action] = []
        if case .open = sighting.lookup {
            openLookups -= 1
            actions.append(.endLookup(service))
        }
        return actions + settle(service.name, at: now) + lookups(at: now) + conclusion(at: now)
    }

    /// A lookup has found something, for the first time or anew.
    mutating func lookedUp(_ service: SeenService, _ found: FoundService, at now: MonotonicInstant) -> [Action] {
        guard var sighting = sightings[service], case .open = sighting.lookup else { return [] }
        if !sighting.isSettled {
            unsettled -= 1
        }
        answers += 1
        sighting.isSettled = true
        sighting.found = found
        sighting.number = answers
        sightings[service] = sighting
        answered.append((service, answers))
        if answered.count > 4 * Self.maximumLookups {
            answered = answered.filter { sightings[$0.service]?.number == $0.number }
        }
        return settle(service.name, at: now) + lookups(at: now) + conclusion(at: now)
    }

    /// A lookup has ended without an answer.
    mutating func lookupFailed(_ service: SeenService, at now: MonotonicInstant) -> [Action] {
        guard var sighting = sightings[service], case .open = sighting.lookup else { return [] }
        if !sighting.isSettled {
            unsettled -= 1
        }
        openLookups -= 1
        sighting.isSettled = true
        sighting.found = nil
        sighting.lookup = .resting
        sightings[service] = sighting
        rest(service, at: now)
        return [.endLookup(service)] + settle(service.name, at: now) + lookups(at: now) + conclusion(at: now)
    }

    /// All names that the daemon knew, or heard of when it asked the network once, were named.
    mutating func sawAll(at now: MonotonicInstant) -> [Action] {
        hasSeenAll = true
        return conclusion(at: now)
    }

    /// Time has passed.
    mutating func advance(to now: MonotonicInstant) -> [Action] {
        var actions: [Action] = []
        while let (due, name) = heldInOrder.first, due <= now {
            _ = heldInOrder.popFirst()
            if held[name] == due {
                actions += compare(name)
            }
        }
        if let goodbyeDue, goodbyeDue <= now {
            self.goodbyeDue = nil
            let names = remembered.sorted()
            remembered = []
            actions += names.flatMap { compare($0) }
        }
        return actions + lookups(at: now) + conclusion(at: now)
    }
}

extension Neighborhood {
    private mutating func forgetSightings() {
        sightings = [:]
        places = [:]
        waiting = []
        answered = []
        resting = []
        openLookups = 0
        unsettled = 0
        held = [:]
        heldInOrder = []
        remembered = Set(told.keys)
        goodbyeDue = nil
        hasSeenAll = false
        hasToldAll = false
    }

    private mutating func tell(_ news: DiscoveryUpdate) -> [Action] {
        guard state != news else { return [] }
        state = news
        return [.tell(news)]
    }

    /// Begins the lookups that are due, as far as there is room.
    private mutating func lookups(at now: MonotonicInstant) -> [Action] {
        var actions: [Action] = []
        while let service = nextToLookUp(at: now) {
            if openLookups >= Self.maximumLookups {
                guard let finished = makeRoom(at: now) else { break }
                actions.append(.endLookup(finished))
            }
            if waiting.first == service {
                _ = waiting.popFirst()
            } else {
                _ = resting.popFirst()
            }
            sightings[service]?.lookup = .open
            openLookups += 1
            actions.append(.lookUp(service))
        }
        return actions
    }

    private mutating func nextToLookUp(at now: MonotonicInstant) -> SeenService? {
        while let service = waiting.first {
            if case .waiting = sightings[service]?.lookup { return service }
            _ = waiting.popFirst()
        }
        while let (due, service) = resting.first, due <= now {
            if case .resting = sightings[service]?.lookup { return service }
            _ = resting.popFirst()
        }
        return nil
    }

    private mutating func makeRoom(at now: MonotonicInstant) -> SeenService? {
        while let (service, number) = answered.popFirst() {
            guard case .open = sightings[service]?.lookup, sightings[service]?.number == number else { continue }
            sightings[service]?.lookup = .resting
            openLookups -= 1
            rest(service, at: now)
            return service
        }
        return nil
    }

    private mutating func rest(_ service: SeenService, at now: MonotonicInstant) {
        resting.append((now.advanced(by: Self.pause), service))
        guard resting.count > Self.maximumSightings + sightings.count else { return }
        var seen: Set<SeenService> = []
        resting = resting.filter { entry in
            guard case .resting = sightings[entry.service]?.lookup else { return false }
            return seen.insert(entry.service).inserted
        }
    }

    /// Takes out what is past when that is much: a name that comes and goes leaves an entry each time.
    private mutating func siftWaiting() {
        guard waiting.count > Self.maximumSightings + sightings.count else { return }
        var seen: Set<SeenService> = []
        waiting = waiting.filter { service in
            guard case .waiting = sightings[service]?.lookup else { return false }
            return seen.insert(service).inserted
        }
    }

    /// Tells of a name when all its places have answered, else in a while.
    private mutating func settle(_ name: String, at now: MonotonicInstant) -> [Action] {
        let isSettled = places[name, default: []].allSatisfy { sightings[$0]?.isSettled == true }
        guard isSettled else {
            if held[name] == nil, places[name, default: []].contains(where: { sightings[$0]?.found != nil }) {
                let due = now.advanced(by: Self.patience)
                held[name] = due
                heldInOrder.append((due, name))
                if heldInOrder.count > Self.maximumSightings {
                    heldInOrder = heldInOrder.filter { held[$0.name] == $0.due }
                }
            }
            return []
        }
        return compare(name)
    }

    /// Tells what is new about a name.
    private mutating func compare(_ name: String) -> [Action] {
        held[name] = nil
        let present = accessory(name)
        let past = told[name]
        if present != nil {
            remembered.remove(name)
        }
        guard present != past else { return [] }
        guard let present else {
            // Whoever was there before the daemon went is given time to be found again.
            guard let past, !remembered.contains(name) else { return [] }
            told[name] = nil
            return [.tell(.disappeared(past))]
        }
        told[name] = present
        return [.tell(past == nil ? .appeared(present) : .changed(present))]
    }

    private func accessory(_ name: String) -> DiscoveredAccessory? {
        let answers = places[name, default: []]
            .compactMap { place in
                sightings[place]
                    .flatMap { sighting in
                        sighting.found.map { (place: place, found: $0, number: sighting.number) }
                    }
            }
            .sorted { $0.number < $1.number }
        return DiscoveredAccessory(answers.map { ($0.place, $0.found) })
    }

    /// Says so once everything was seen and answered.
    private mutating func conclusion(at now: MonotonicInstant) -> [Action] {
        guard hasSeenAll, !hasToldAll, unsettled == 0, held.isEmpty else { return [] }
        hasToldAll = true
        goodbyeDue = remembered.isEmpty ? nil : now.advanced(by: Self.patienceForReturn)
        return [.tell(.sawAll)]
    }
}
