internal import Discovery

/// The results of a search so far.
///
/// It performs no action itself.
struct AccessorySearchState {
    /// The next action.
    enum Action: Hashable {
        case wait
        /// An accessory matches. Wait a moment for further matches.
        case waitForMoreMatches
        /// All known accessories were reported, and none matches. Wait for accessories that are slow to answer.
        case waitForLateAnswers
        /// The network cannot be searched.
        case fail(DiscoveryError)
    }

    /// The maximum number of matches.
    ///
    /// Further ones can only be forged, and are ignored.
    static let maximumMatches = 64

    let matches: @Sendable (DiscoveredAccessory) -> Bool
    private var accessories: [String: DiscoveredAccessory] = [:]
    /// Whether the daemon has reported anything.
    private(set) var hasUpdates = false

    private var isWaitingForMoreMatches = false
    private var isWaitingForLateAnswers = false

    init(matches: @escaping @Sendable (DiscoveredAccessory) -> Bool) {
        self.matches = matches
    }

    /// The accessories that match, sorted by name.
    var matchingAccessories: [DiscoveredAccessory] {
        accessories.values.sorted { $0.name < $1.name }
    }

    /// Handles an update of the browser.
    mutating func handle(_ update: DiscoveryUpdate) -> Action {
        hasUpdates = true
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
        case .available: return .wait
        case .allForNow:
            guard accessories.isEmpty, !isWaitingForLateAnswers else { return .wait }
            isWaitingForLateAnswers = true
            return .waitForLateAnswers
        case .unavailable(let error):
            // An endpoint that was found before an outage of the daemon is better than none.
            return accessories.isEmpty ? .fail(error) : .wait
        }
    }
}
