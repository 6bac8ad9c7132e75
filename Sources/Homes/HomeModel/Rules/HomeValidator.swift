/// A single pass over a home that collects the broken rules.
struct HomeValidator {
    let home: Home
    /// The errors found so far.
    var errors: [HomeError] = []

    init(_ home: Home) {
        self.home = home
    }

    mutating func run() {
        checkCounts()
        // The other checks could take very long if a limit is exceeded.
        guard errors.isEmpty else { return }
        checkNumbers()
        checkNames()
        let index = HomeIndex(home)
        checkZones(index)
        checkAccessories(index)
        checkGroups(index)
        checkScenes(index)
        checkUsers()
        if let timeZone = home.timeZone, !Home.canBeTimeZone(timeZone) {
            report(.timeZone(timeZone, at: home.name.text))
        }
        errors += home.automations.flatMap(AutomationRuleChecker(home, index).violations(of:))
    }

    mutating func report(_ error: HomeError) {
        errors.append(error)
    }

    /// Returns the path of an object, for use in errors.
    func path(_ name: ObjectName) -> String {
        "\(home.name)/\(name)"
    }

    private mutating func checkCounts() {
        let characteristics = home.accessories.lazy.flatMap(\.services).map(\.characteristics.count).max() ?? 0
        let actions = home.scenes.lazy.map(\.actions.count).max() ?? 0
        let check: [(kind: String, count: Int, limit: Int)] = [
            ("rooms", home.rooms.count, HomeLimits.rooms),
            ("zones", home.zones.count, HomeLimits.zones),
            ("rooms of zones", home.zones.lazy.map(\.rooms.count).reduce(0, +), HomeLimits.zoneRooms),
            ("accessories", home.accessories.count, HomeLimits.accessories),
            ("services", home.serviceCount, HomeLimits.services),
            ("service groups", home.serviceGroups.count, HomeLimits.serviceGroups),
            (
                "services of groups", home.serviceGroups.lazy.map(\.services.count).reduce(0, +),
                HomeLimits.groupServices
            ),
            ("scenes", home.scenes.count, HomeLimits.scenes),
            ("actions", home.scenes.lazy.map(\.actions.count).reduce(0, +), HomeLimits.allActions),
            ("automations", home.automations.count, HomeLimits.automations),
            (
                "scenes and actions of automations", home.automations.lazy.map(\.rule.targetCount).reduce(0, +),
                HomeLimits.automationTargets
            ),
            ("users", home.users.count, HomeLimits.users),
            ("characteristics of a service", characteristics, HomeLimits.characteristics),
            ("actions of a scene", actions, HomeLimits.actions),
        ]
        for (kind, count, limit) in check where count > limit {
            report(.tooMany(kind, limit: limit, at: home.name.text))
        }
    }

    private mutating func checkNumbers() {
        if home.nextID > HomeLimits.number || home.nextID == 0 {
            report(.identifier(home.nextID, at: home.name.text))
        }
        var given: Set<UInt64> = []
        for number in home.numbers where number == 0 || number >= home.nextID || !given.insert(number).inserted {
            report(.identifier(number, at: home.name.text))
        }
    }
}
