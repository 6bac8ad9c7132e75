/// The rules of homes, checked from the beginning and without a look at how a home came to be.
///
/// For what comes from a file or a store; the edits check by themselves.
public enum HomeRules {
    /// Every rule that is broken, home by home; empty when all hold.
    ///
    /// Of a home with too much in it only that is told.
    public static func violations(in homes: Homes) -> [HomeError] {
        guard homes.homes.count <= HomeLimits.homes else {
            return [.tooMany("homes", limit: HomeLimits.homes, at: "")]
        }
        var found = violations(among: homes)
        for home in homes.homes {
            found += violations(in: home)
        }
        return found
    }

    /// Every rule that is broken within one home; empty when all hold.
    public static func violations(in home: Home) -> [HomeError] {
        var check = HomeValidator(home)
        check.run()
        return check.errors
    }

    /// What concerns several homes.
    private static func violations(among homes: Homes) -> [HomeError] {
        var found: [HomeError] = []
        if let primary = homes.primary {
            if homes.home(primary) == nil {
                found.append(.primaryHome("The primary home is none of the homes."))
            }
        } else if !homes.homes.isEmpty {
            found.append(.primaryHome("None of the homes is the primary one."))
        }
        if homes.nextID == 0 || homes.nextID > HomeLimits.number {
            found.append(.identifier(homes.nextID, at: ""))
        }
        var names: [String: ObjectName] = [:]
        var ids: Set<ObjectID<Home>> = []
        var references: [AccessoryReference: ObjectID<Home>] = [:]
        for home in homes.homes {
            let place = home.name.text
            if names.updateValue(home.name, forKey: home.name.key) != nil {
                found.append(.duplicateName(home.name, "another home", at: place))
            }
            if !ids.insert(home.id).inserted || home.id.rawValue == 0 || home.id.rawValue >= homes.nextID {
                found.append(.identifier(home.id.rawValue, at: place))
            }
            for reference in home.accessories.lazy.compactMap(\.reference) {
                if let other = references.updateValue(home.id, forKey: reference), other != home.id {
                    found.append(.accessoryTwice(reference, "another home", at: place))
                }
            }
        }
        return found
    }
}
