/// Finds the accessories that the Avahi daemon sees, by looking up each name that it reports.
struct AccessorySearch {
    /// The next action.
    enum Action: Hashable {
        case wait
        case lookUp(ServiceInstance)
        /// All lookups have ended.
        case finish
        /// The daemon has ended.
        case fail
    }

    /// The maximum number of pending lookups; further names are ignored.
    static let maximumLookups = 512
    /// The maximum number of results.
    static let maximumFound = 4_096

    /// The results in order of arrival, with each address of each accessory once.
    private(set) var found: [ResolvedService] = []
    private var lookups: Set<ServiceInstance> = []
    private var hasSeenAll = false

    /// Handles an event of the daemon.
    mutating func handle(_ event: AvahiConnection.Event) -> Action {
        switch event {
        case .daemonAvailable, .daemonUnavailable, .disappeared, .hostResolved:
            return .wait
        case .appeared(let service):
            guard lookups.count < Self.maximumLookups, lookups.insert(service).inserted else { return .wait }
            return .lookUp(service)
        case .allForNow:
            hasSeenAll = true
            return next
        case .lookedUp(let service, let response):
            if found.count < Self.maximumFound, !found.contains(response) {
                found.append(response)
            }
            lookups.remove(service)
            return next
        case .lookupFailed(let service):
            lookups.remove(service)
            return next
        case .connectionLost:
            return .fail
        }
    }

    private var next: Action {
        hasSeenAll && lookups.isEmpty ? .finish : .wait
    }
}
