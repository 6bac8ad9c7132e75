internal import AccessoryModel

/// What has happened since the last step that changed something, as far as a scenario waits for it.
struct RecentFacts: Sendable {
    /// How much of what controllers did and were told is remembered; beyond it the oldest is forgotten.
    private static let remembered = 10_000

    private let valueWaits: [SimulationPlace: Set<ScenarioWait>]
    private let deeds: Set<ControllerDeed>
    private let eventPlaces: Set<SimulationPlace>
    /// What a value has met, each once, however often it did.
    private var metByValues: Set<ScenarioWait.Event> = []
    /// What controllers did and were told, in its order.
    private var others: [ScenarioFact] = []

    /// - Parameter waits: Everything that is waited for.
    init(for waits: [ScenarioWait]) {
        var valueWaits: [SimulationPlace: Set<ScenarioWait>] = [:]
        var deeds: Set<ControllerDeed> = []
        var eventPlaces: Set<SimulationPlace> = []
        for wait in waits {
            switch wait.event {
            case .value(let place, _): valueWaits[place, default: []].insert(wait)
            case .event(let place, _): eventPlaces.insert(place)
            case .controller(let deed, _): deeds.insert(deed)
            }
        }
        (self.valueWaits, self.deeds, self.eventPlaces) = (valueWaits, deeds, eventPlaces)
    }

    mutating func note(_ fact: ScenarioFact) {
        switch fact {
        case .value(let place, _):
            for wait in valueWaits[place] ?? [] where wait.isMet(by: fact) {
                metByValues.insert(wait.event)
            }
        case .controller(let deed, _, _):
            if deeds.contains(deed) { remember(fact) }
        case .event(let place, _):
            if eventPlaces.contains(place) { remember(fact) }
        case .fault: break
        }
    }

    /// Whether something has met what is waited for.
    ///
    /// What controllers did is taken up to what met it: it counts for one expectation, and those behind it count what came
    /// later.
    mutating func take(_ wait: ScenarioWait) -> Bool {
        switch wait.event {
        // "within: 0s" asks what is so now.
        case .value: return wait.limit > .zero && metByValues.contains(wait.event)
        case .controller, .event:
            guard let index = others.firstIndex(where: wait.isMet) else { return false }
            others.removeFirst(index + 1)
            return true
        }
    }

    /// Forgets everything: something is changed, and what comes of that is to be told from what was before.
    mutating func forget() {
        metByValues = []
        others = []
    }

    private mutating func remember(_ fact: ScenarioFact) {
        others.append(fact)
        if others.count > Self.remembered { others.removeFirst(Self.remembered / 2) }
    }
}
