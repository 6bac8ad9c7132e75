internal import AccessoryModel
internal import HAPCore

/// An object of a home in words.
package struct ObjectDescription: Sendable, Hashable {
    /// The kind of object, such as `scene`.
    package var kind: String
    /// The name.
    package var name: String
    /// What it consists of, one sentence or name on each line.
    package var lines: [String]
}

extension Home {
    /// Returns the descriptions of all objects with a name, whatever their kinds.
    ///
    /// A kind before the name, as in "scene Good Night", selects the objects of this kind.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with similar names, if there is none.
    package func descriptions(ofObjectsNamed text: String) throws(HomeError) -> [ObjectDescription] {
        let keys = ObjectName.spokenKeys(of: text)
        let all = objectNames
        for key in keys {
            let found = all.filter { $0.name.key == key }
            if !found.isEmpty { return found.map { $0.description } }
        }
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        if let kind = words.first?.lowercased(), words.count == 2 {
            let ofKind = all.filter { $0.description.kind == kind }
            for key in ObjectName.spokenKeys(of: String(words[1])) {
                let found = ofKind.filter { $0.name.key == key }
                if !found.isEmpty { return found.map { $0.description } }
            }
        }
        let near = SpellingSuggester.suggestions(for: text, among: Set(all.map(\.name.text)).sorted(), count: 3)
        throw HomeError(
            .unknownObject,
            at: name.text,
            "Nothing is named \(ObjectName.quoted(text)).",
            remedy: near.isEmpty ? nil : "Did you mean \(near.joined(separator: ", "))?"
        )
    }

    private var objectNames: [(name: ObjectName, description: ObjectDescription)] {
        func entry(_ kind: String, _ name: ObjectName, _ lines: [String]) -> (ObjectName, ObjectDescription) {
            (name, ObjectDescription(kind: kind, name: name.text, lines: lines))
        }
        let index = HomeIndex(self)
        let visible = visibleServices
        let byRoom = visibleServicesByRoom
        var all = rooms.map { room in
            entry("room", room.name, (byRoom[room.id] ?? []).map { text(of: $0) })
        }
        all += zones.map { entry("zone", $0.name, index.names(of: $0.rooms)) }
        all += serviceGroups.map { group in
            entry("group", group.name, group.services.compactMap { index.service($0)?.name.text })
        }
        all += scenes.map { scene in
            let kind = scene.kind == .userDefined ? [] : ["kind: \(scene.kind.rawValue)"]
            return entry("scene", scene.name, kind + scene.actions.map { index.text(of: $0) })
        }
        all += automations.map { automation in
            let state = [automation.isEnabled ? nil : "disabled", automation.executesOnce ? "runs once" : nil]
            return entry(
                "automation",
                automation.name,
                state.compactMap(\.self) + automation.triggers.map { index.text(of: $0) }
                    + (automation.condition.map { ["if \(index.text(of: $0))"] } ?? [])
                    + ["runs \(index.text(of: automation.targets))"]
                    + (automation.end.map { ["ends \(index.text(of: $0))"] } ?? [])
            )
        }
        all += users.map { user in
            entry(
                "user",
                user.name,
                [user.role.rawValue, user.isHome.map { $0 ? "home" : "away" } ?? "presence unknown"]
            )
        }
        all += accessories.map { accessory in
            entry("accessory", accessory.name, accessory.services.filter(\.isVisible).map { text(of: $0) })
        }
        all += visible.map { service, room in
            entry(
                "service",
                service.name,
                ["\(service.effectiveType), in \(index.room(room)?.name.text ?? "no room")"]
                    + service.characteristics.filter { $0.type != .name }.map { "\($0.name): \($0.allowedValues)" }
            )
        }
        return all
    }

    private func text(of service: HomeService) -> String { "\(service.name) (\(service.effectiveType))" }
}
