import HomeModel

/// What an automation waits for, as a command line says it.
enum SpokenTrigger: Sendable {
    /// A property with a value, `Garage Door/Current Door State=Open`.
    case becomes(String)
    /// As a home file has it.
    case documented(DocumentedTrigger)
    /// What needs no look at the home.
    case fixed(Trigger)

    /// What it is in a home.
    func trigger(of automation: ObjectName, in home: Home) throws(HomeError) -> Trigger {
        switch self {
        case .becomes(let text):
            let wanted = try SpokenAction.single(text, in: home)
            return .characteristic(wanted.characteristic, .equals(wanted.value))
        case .documented(let documented): return try home.trigger(documented, of: automation)
        case .fixed(let trigger): return trigger
        }
    }
}
