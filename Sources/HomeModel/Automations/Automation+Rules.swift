extension Automation {
    /// The rules that it breaks in a home, by itself and by what it names; its name and id are seen to elsewhere.
    public func violations(in home: Home) -> [HomeError] {
        AutomationRules(home).violations(of: self)
    }

    /// The rules that the automations of a home break, each by itself and by what it names.
    ///
    /// The same as all of ``violations(in:)``, with one look at the home.
    static func violations(ofAllIn home: Home) -> [HomeError] {
        let rules = AutomationRules(home)
        return home.automations.flatMap(rules.violations(of:))
    }
}
