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

    /// The most that are found; whoever forges more is passed over.
    static let maximumFound = 64

    let matches: @Sendable (DiscoveredAccessory) -> Bool
    private var accessories: [String: DiscoveredAccessory] = [:]
    /// Whether the daemon has said anything.
    private(set) var isAnswered = false

    private var waitsForOthers = false
    private var waitsForLate = false

    init(matches: @escaping @Sendable (DiscoveredAccessory) -> Bool) {
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
            let hasRoom = accessories.count < Self.maximumFound || accessories[accessory.name] != nil
            accessories[accessory.name] = hasRoom && matches(accessory) ? accessory : nil
            guard !accessories.isEmpty, !waitsForOthers else { return .wait }
            waitsForOthers = true
            return .waitForOthers
        case .disappeared(let accessory):
            accessories[accessory.name] = nil
            return .wait
        case .available:
            isAnswered = true
            return .wait
        case .sawAll:
            isAnswered = true
            guard accessories.isEmpty, !waitsForLate else { return .wait }
            waitsForLate = true
            return .waitForLate
        case .unavailable(let error):
            isAnswered = true
            // Where it was before the daemon went is better than nothing.
            return accessories.isEmpty ? .fail(error) : .wait
        }
    }
}
