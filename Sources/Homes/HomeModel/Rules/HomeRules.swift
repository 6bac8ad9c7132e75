/// A complete check of homes against all rules, independent of how they were created.
///
/// Use it for homes from a file or a store. ``Homes/edit(_:_:)`` uses it for edited homes.
public enum HomeRules {
    /// Returns all broken rules, home by home; the result is empty if all rules are obeyed.
    ///
    /// If a home exceeds a limit, only that is reported for it.
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

    /// Returns all broken rules in one home; the result is empty if all rules are obeyed.
    public static func violations(in home: Home) -> [HomeError] {
        var check = HomeValidator(home)
        check.run()
        return check.errors
    }

    /// Returns the broken rules that concern several homes.
    private static func violations(among homes: Homes) -> [HomeError] {
        var found: [HomeError] = []
        if let primary = homes.primary {
            if homes.home(primary) == nil {
                found.append(HomeError(.primaryHome, at: "", "The primary home does not exist."))
            }
        } else if !homes.homes.isEmpty {
            found.append(HomeError(.primaryHome, at: "", "No home is the primary one."))
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
