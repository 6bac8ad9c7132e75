internal import Discovery

/// What one search has found so far; performs nothing.
struct AccessorySearchState {
    /// What to do next.
    enum Action: Hashable {
        case wait
        /// Something matches; wait for a moment whether more does.
        case waitForMoreMatches
        /// Everything that is known was told, and nothing matches; wait for those that are slow to answer.
        case waitForLateAnswers
        /// Nobody can be asked.
        case fail(DiscoveryError)
    }

    /// The most that are found; whoever forges more is passed over.
    static let maximumMatches = 64

    let matches: @Sendable (DiscoveredAccessory) -> Bool
    private var accessories: [String: DiscoveredAccessory] = [:]
    /// Whether the daemon has said anything.
    private(set) var hasUpdates = false

    private var isWaitingForMoreMatches = false
    private var isWaitingForLateAnswers = false

    init(matches: @escaping @Sendable (DiscoveredAccessory) -> Bool) {
        self.matches = matches
    }

    /// Those that match, by name.
    var matchingAccessories: [DiscoveredAccessory] {
        accessories.values.sorted { $0.name < $1.name }
    }

    /// Takes what the browser tells.
    mutating func handle(_ update: DiscoveryUpdate) -> Action {
        switch update {
        case .appeared(let accessory), .changed(let accessory):
            let hasRoom = accessories.count < Self.maximumMatches || accessories[accessory.name] != nil
            accessories[accessory.name] = hasRoom && matches(accessory) ? accessory : nil
            guard !accessories.isEmpty, !isWaitingForMoreMatches else { return .wait }
            isWaitingForMoreMatches = true
            return .waitForMoreMatches
        case .disappeared(let accessory):
            accessories[accessory.name] = nil
            return .wait
        case .available:
            hasUpdates = true
            return .wait
        case .allForNow:
            hasUpdates = true
            guard accessories.isEmpty, !isWaitingForLateAnswers else { return .wait }
            isWaitingForLateAnswers = true
            return .waitForLateAnswers
        case .unavailable(let error):
            hasUpdates = true
            // Where it was before the daemon went is better than nothing.
            return accessories.isEmpty ? .fail(error) : .wait
        }
    }
}
