/// The work that waits for the worker, in order, with limits so that it cannot grow while the store is slow.
///
/// | Work | Limit |
/// |---|---|
/// | a server key | one is prepared at a time (``PreparedServerKey``) |
/// | a change of pair-setup | one exchange runs at a time, and waits for its change (``PairSetupSlot``) |
/// | values, and conditions without a caller | one of each waits, and does the work of all |
/// | requests to `/pairings` | the maximum number of connections; a session has one, but it can end before its turn |
/// | replaced accessories, forgotten pairings, and conditions with a caller | one for each task that waits for it |
struct WaitingWork {
    /// What to do with new work.
    enum Decision: Hashable {
        case enqueue
        /// The work is not needed, because the same work is waiting.
        case isWaiting
        /// There is too much work of this kind.
        case refuse
    }

    private let maximumRequests: Int
    private var queue: [ServerWork] = []
    private var requestCount = 0
    private var areValuesWaiting = false
    private var areConditionsWaiting = false

    /// - Parameter maximumRequests: The maximum number of waiting requests to `/pairings`.
    init(maximumRequests: Int) {
        self.maximumRequests = maximumRequests
    }

    /// Decides on new work, and adds it unless it is not needed or refused.
    mutating func add(_ work: ServerWork) -> Decision {
        switch work {
        case .saveValues:
            guard !areValuesWaiting else { return .isWaiting }
            areValuesWaiting = true
        case .applyConditions(nil):
            guard !areConditionsWaiting else { return .isWaiting }
            areConditionsWaiting = true
        case .managePairings:
            guard requestCount < maximumRequests else { return .refuse }
            requestCount += 1
        case .prepareServerKey, .persist, .replaceAccessories, .applyConditions, .forgetPairings: break
        }
        queue.append(work)
        return .enqueue
    }

    /// Removes the work that the worker begins with, so that what changes from now on needs new work; `nil` if none waits.
    mutating func next() -> ServerWork? {
        guard !queue.isEmpty else { return nil }
        let work = queue.removeFirst()
        switch work {
        case .saveValues: areValuesWaiting = false
        case .applyConditions(nil): areConditionsWaiting = false
        case .managePairings: requestCount -= 1
        case .prepareServerKey, .persist, .replaceAccessories, .applyConditions, .forgetPairings: break
        }
        return work
    }
}
