internal import Documents

/// A change that a merge makes, described in a sentence.
package struct HomeChange: Sendable, Hashable {
    /// The kind of a change.
    package enum Kind: String, Sendable, Hashable {
        case addition
        case change
        case removal
    }

    /// The kind of the change.
    package var kind: Kind
    /// The home that is changed.
    package var home: ObjectName
    /// The change in a sentence.
    package var text: String

    init(_ kind: Kind, in home: ObjectName, _ text: String) {
        self.kind = kind
        self.home = home
        self.text = text
    }
}

extension HomeChange: CustomStringConvertible {
    /// The sentence after `+`, `~` or `-`.
    package var description: String {
        switch kind {
        case .addition: "+ \(text)"
        case .change: "~ \(text)"
        case .removal: "- \(text)"
        }
    }
}

extension HomeChange {
    /// Returns all changes between two states of homes.
    package static func all(from before: Homes, to after: Homes) -> [HomeChange] {
        var changes: [HomeChange] = []
        for home in after.homes {
            if let old = before.home(home.id) {
                changes += HomeDiff(from: old, to: home).changes
            } else {
                changes.append(HomeChange(.addition, in: home.name, "The home \(home.name) is new."))
                changes += HomeDiff(from: Home(id: home.id, name: home.name), to: home).changes
            }
        }
        for home in before.homes where after.home(home.id) == nil {
            changes.append(HomeChange(.removal, in: home.name, "The home \(home.name) is removed."))
        }
        if let primary = after.primaryHome, before.primary != after.primary, before.primary != nil {
            changes.append(HomeChange(.change, in: primary.name, "\(primary.name) is now the primary home."))
        }
        return changes
    }
}

extension HomeChange {
    /// Returns the changes for side effects of a merge.
    ///
    /// Omits effects on objects that the file describes, and effects that the comparison of the homes already reports
    /// in the same detail.
    ///
    /// - Parameters:
    ///   - home: The home after the merge.
    ///   - isVisible: Returns whether the home has a visible service with a name.
    static func changes(
        for consequences: [EditEffect],
        in home: Home,
        comparedTo document: HomeDescription,
        isComplete: Bool,
        isVisible: (ObjectName) -> Bool
    ) -> [HomeChange] {
        let documentedScenes = Set(document.scenes.map(\.name.value.key))
        let documentedAutomations = Set(document.automations.map(\.name.value.key))
        let scenes = Set(home.scenes.map(\.name.key)).subtracting(documentedScenes)
        let automations = Set(home.automations.map(\.name.key)).subtracting(documentedAutomations)
        return consequences.compactMap { consequence in
            let kind: HomeChange.Kind
            switch consequence {
            case .characteristicRemoved(_, let service):
                guard isVisible(service) else { return nil }
                kind = .change
            case .sceneLostAction(let scene, _, _):
                guard scenes.contains(scene.key) else { return nil }
                kind = .change
            case .automationChanged(let name), .automationDisabled(let name):
                guard automations.contains(name.key) else { return nil }
                kind = .change
            case .automationRemoved(let name):
                guard !isComplete, !documentedAutomations.contains(name.key) else { return nil }
                kind = .removal
            case .accessoryMoved, .serviceMoved, .zoneLostRoom, .accessoryRemoved, .serviceRemoved, .serviceAdded,
                .serviceRenamed, .groupLostService, .primaryHomeChanged, .ownerChanged:
                return nil
            }
            return HomeChange(kind, in: home.name, consequence.description)
        }
    }
}
