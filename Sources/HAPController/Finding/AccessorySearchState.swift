internal import Discovery

/// What one search has found so far; performs nothing.
struct AccessorySearchState {
    /// What to do next.
    enum Action: Hashable {
        case wait
        /// Something matches; wait for a moment whether more does.
        case waitForOthers
        /// Everything that is known was told, and nothing matches; wait for those that are slow to answer.
        case waitForLate
        /// Nobody can be asked.
        case fail(DiscoveryError)
    }

    let matches: (DiscoveredAccessory) -> Bool
    private var accessories: [String: DiscoveredAccessory] = [:]
    /// Whether the daemon has said anything.
    private(set) var isAnswered = false

    init(matches: @escaping (DiscoveredAccessory) -> Bool) {
        self.matches = matches
    }

    /// Those that match, by name.
    var found: [DiscoveredAccessory] {
        accessories.values.sorted { $0.name < $1.name }
    }

    /// Takes what the browser tells.
    mutating func handle(_ update: DiscoveryUpdate) -> Action {
        switch update {
        case .appeared(let accessory), .changed(let accessory):
            let isFirst = accessories.isEmpty
            accessories[accessory.name] = matches(accessory) ? accessory : nil
            return isFirst && !accessories.isEmpty ? .waitForOthers : .wait
        case .disappeared(let accessory):
            accessories[accessory.name] = nil
            return .wait
        case .available:
            isAnswered = true
            return .wait
        case .sawAll:
            isAnswered = true
            return accessories.isEmpty ? .waitForLate : .wait
        case .unavailable(let error):
            isAnswered = true
            // Where it was before the daemon went is better than nothing.
            return accessories.isEmpty ? .fail(error) : .wait
        }
    }
}
