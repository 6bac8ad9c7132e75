/// Finds out which accessories the Avahi daemon sees, by looking up each name that it tells.
struct AccessorySearch {
    /// What to do next.
    enum Action: Hashable {
        case wait
        case lookUp(SeenService)
        /// Everything that was asked is answered.
        case finish
        /// The daemon is gone.
        case fail
    }

    /// The most lookups that wait for their answers; what is seen beyond is passed over.
    static let maximumLookups = 512
    /// The most answers that are kept.
    static let maximumFound = 4_096

    /// Each address of each accessory once, in the order of the answers.
    private(set) var found: [FoundService] = []
    private var lookups: Set<SeenService> = []
    private var hasSeenAll = false

    /// Takes what the daemon tells.
    mutating func handle(_ event: AvahiConnection.Event) -> Action {
        switch event {
        case .daemonAnswers, .waitsForDaemon, .disappeared, .hostAnswered:
            return .wait
        case .appeared(let service):
            guard lookups.count < Self.maximumLookups, lookups.insert(service).inserted else { return .wait }
            return .lookUp(service)
        case .sawAll:
            hasSeenAll = true
            return next
        case .lookedUp(let service, let answer):
            if found.count < Self.maximumFound, !found.contains(answer) {
                found.append(answer)
            }
            lookups.remove(service)
            return next
        case .lookupFailed(let service):
            lookups.remove(service)
            return next
        case .lost:
            return .fail
        }
    }

    private var next: Action {
        hasSeenAll && lookups.isEmpty ? .finish : .wait
    }
}
