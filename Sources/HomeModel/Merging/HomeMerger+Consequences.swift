internal import Documents

extension HomeMerger {
    /// What edits took with them, as far as neither the file speaks of it nor a comparison would tell it as exactly.
    var toldConsequences: [HomeChange] {
        let documentedScenes = Set(document.scenes.map(\.name.value.key))
        let documentedAutomations = Set(document.automations.map(\.name.value.key))
        let scenes = Set(home.scenes.map(\.name.key)).subtracting(documentedScenes)
        let automations = Set(home.automations.map(\.name.key)).subtracting(documentedAutomations)
        return consequences.compactMap { consequence in
            let kind: HomeChange.Kind
            switch consequence {
            case .characteristicRemoved(_, let service):
                guard directory.isShown(service) else { return nil }
                kind = .change
            case .sceneLostAction(let scene, _, _):
                guard scenes.contains(scene.key) else { return nil }
                kind = .change
            case .automationChanged(let name), .automationDisabled(let name):
                guard automations.contains(name.key) else { return nil }
                kind = .change
            case .automationRemoved(let name):
                guard !isWhole, !documentedAutomations.contains(name.key) else { return nil }
                kind = .removal
            case .accessoryMoved, .serviceMoved, .zoneLostRoom, .accessoryRemoved, .serviceRemoved, .serviceAdded,
                .serviceRenamed, .groupLostService, .primaryHomeChanged, .ownerChanged:
                return nil
            }
            return HomeChange(kind, in: home.name, consequence.description)
        }
    }
}
