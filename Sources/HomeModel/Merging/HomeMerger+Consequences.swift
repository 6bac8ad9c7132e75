extension HomeMerger {
    /// What else changed, as far as no comparison of the homes tells it: what became of things that the file does not name.
    ///
    /// What it names is as the file has it, whatever it lost on the way.
    var otherChanges: [HomeChange] {
        let groups = Set(document.groups.map(\.name.value.key))
        let scenes = Set(document.scenes.map(\.name.value.key))
        let automations = Set(document.automations.map(\.name.value.key))
        var changes: [HomeChange] = []
        for consequence in consequences {
            let kind: HomeChange.Kind
            switch consequence {
            case .characteristicRemoved: kind = .removal
            case .groupLostService(let name, _):
                guard !groups.contains(name.key) else { continue }
                kind = .removal
            case .sceneLostAction(let name, _, _):
                guard !scenes.contains(name.key) else { continue }
                kind = .removal
            case .automationChanged(let name), .automationDisabled(let name):
                guard !automations.contains(name.key) else { continue }
                kind = .change
            case .accessoryMoved, .serviceMoved, .zoneLostRoom, .accessoryRemoved, .serviceRemoved, .serviceAdded,
                .serviceRenamed, .automationRemoved, .primaryHomeChanged, .ownerChanged:
                // The homes before and after show it.
                continue
            }
            let change = HomeChange(kind, in: home.name, consequence.description)
            if !changes.contains(change) {
                changes.append(change)
            }
        }
        return changes
    }
}
