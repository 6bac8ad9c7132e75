package import AccessoryModel
package import HAPCore

/// Something that happened in the servers, as far as scenarios care.
package enum ScenarioFact: Sendable, Hashable {
    /// A characteristic has this value from now on, or its button was pressed.
    case value(SimulationPlace, CharacteristicValue?)
    /// A controller did something to a server, or to a characteristic of it.
    case controller(ControllerDeed, server: Int, CharacteristicID?)
    /// An event message has told a controller of a characteristic.
    case event(SimulationPlace, CharacteristicValue?)
    /// A fault of this name has acted on something, or is over.
    case fault(server: Int, String, on: String?)
}

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

/// The last facts, as far as a failing step tells of them.
struct SeenFacts: Sendable {
    /// How many are told.
    private static let told = 8

    private var values: [SimulationPlace: [CharacteristicValue?]] = [:]
    private var others: [ScenarioFact] = []

    mutating func note(_ fact: ScenarioFact) {
        switch fact {
        case .value(let place, let value):
            values[place, default: []].append(value)
            if values[place, default: []].count > Self.told { values[place]?.removeFirst() }
        case .controller, .event:
            if others.last != fact { others.append(fact) }
            if others.count > Self.told { others.removeFirst() }
        case .fault: break
        }
    }

    /// What a characteristic's values were, the latest last.
    func values(of place: SimulationPlace) -> [CharacteristicValue?] {
        values[place] ?? []
    }

    /// What controllers did.
    func text(_ names: SimulationNames) -> String {
        let texts = others.compactMap { fact -> String? in
            switch fact {
            case .value, .fault: nil
            case .controller(let deed, let server, let id):
                "a controller \(deed.rawValue) "
                    + names.text(of: id.map { .characteristic(SimulationPlace(server: server, $0)) } ?? .server(server))
            case .event(let place, let value):
                "an event of \(names.text(of: .characteristic(place))): "
                    + (names.characteristic(at: place)?.words.text(of: value) ?? "–")
            }
        }
        return texts.isEmpty ? "no controller did anything" : texts.joined(separator: ", ")
    }
}
