/// Finds out which accessories the Avahi daemon sees, by looking up each name that it tells.
struct AccessorySearch {
    /// What to do next.
    enum Action: Hashable {
        case wait
        case lookUp(ServiceInstance)
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
    private(set) var found: [ResolvedService] = []
    private var lookups: Set<ServiceInstance> = []
    private var hasSeenAll = false

    /// Takes what the daemon tells.
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
