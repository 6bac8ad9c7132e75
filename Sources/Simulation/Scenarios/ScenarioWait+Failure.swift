internal import AccessoryModel

extension ScenarioWait {
    /// What was expected, and what was seen instead.
    func failure(
        values: [SimulationPlace: CharacteristicValue],
        seen: SeenFacts,
        _ names: SimulationNames
    ) -> String {
        let expected = "\(text), was expected within \(ScenarioText.duration(limit)). Seen instead: "
        guard case .value(let place, _) = event else { return expected + "\(seen.text(names))." }
        let words = names.characteristic(at: place)?.words
        let name = names.text(of: .characteristic(place))
        let present = words?.text(of: values[place]) ?? "–"
        let history = seen.values(of: place).map { words?.text(of: $0) ?? "–" }
        let course = history.count > 1 ? "; it was \(history.joined(separator: ", then "))" : ""
        return expected + "\(name) is \(present)\(course)."
    }
}
