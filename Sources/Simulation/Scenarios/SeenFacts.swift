internal import AccessoryModel
internal import HAPCore

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
