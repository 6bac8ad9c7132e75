import HomeModel

extension Home {
    /// How many automations may run, in words.
    var countOfAutomations: String {
        let count = automations.count { $0.isEnabled }
        return count == 1 ? "1 automation" : "\(count) automations"
    }
}
