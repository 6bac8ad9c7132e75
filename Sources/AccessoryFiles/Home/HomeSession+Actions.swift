internal import HomeModel

extension HomeSession {
    mutating func scene(_ name: Placed<ObjectName>, _ field: DefinitionField) -> DocumentedScene? {
        guard field.node.mapping != nil else {
            return DocumentedScene(name: name, actions: actions(field))
        }
        guard let map = DefinitionMap(field, known: SceneKey.allCases, &base.findings) else { return nil }
        let actions = self.actions(map[.actions])
        guard let kind = map[.kind] else { return DocumentedScene(name: name, actions: actions) }
        return base.word(kind, HomeWords.kinds).map { DocumentedScene(name: name, kind: $0, actions: actions) }
    }

    mutating func actions(_ field: DefinitionField?) -> [DocumentedAction] {
        base.list(field)
            .compactMap { entry in
                guard let map = DefinitionMap(entry, known: ActionKey.allCases, &base.findings) else { return nil }
                return action(entry, set: map[.set], to: map[.to])
            }
    }

    private mutating func action(
        _ field: DefinitionField,
        set: DefinitionField?,
        to: DefinitionField?
    ) -> DocumentedAction? {
        guard let set, let to else {
            base.findings.report(
                field,
                "an action sets something to a value; write \"set: Service/Property\" and \"to: VALUE\""
            )
            return nil
        }
        let characteristic = placedText(set)
        let value = self.value(to)
        guard let characteristic, let value else { return nil }
        return DocumentedAction(characteristic: characteristic, value: value)
    }

    mutating func value(_ field: DefinitionField) -> Placed<DocumentedValue>? {
        switch field.node.scalar?.meaning {
        case .bool(let value): return Placed(.bool(value), at: place(field))
        case .number(let number): return Placed(.number(number), at: place(field))
        case .text: return Placed(.text(field.node.scalar?.text ?? ""), at: place(field))
        case .null, nil:
            base.findings.report(field, "\(field.node.kind) is no value; write one, such as true, 50 or Closed")
            return nil
        }
    }

    /// The scenes and actions that something runs.
    mutating func targets(_ field: DefinitionField?) -> ([Placed<String>], [DocumentedAction]) {
        var scenes: [Placed<String>] = []
        var actions: [DocumentedAction] = []
        if let field, field.node.scalar != nil {
            return ([placedText(field)].compactMap(\.self), [])
        }
        for entry in base.list(field) {
            if entry.node.scalar != nil {
                scenes += [placedText(entry)].compactMap(\.self)
                continue
            }
            guard let map = DefinitionMap(entry, known: TargetKey.allCases, &base.findings) else { continue }
            if let scene = map[.scene] {
                scenes += [placedText(scene)].compactMap(\.self)
                if let other = map[.set] ?? map[.to] {
                    base.findings.report(other, "this entry runs a scene; put what it sets into an entry of its own")
                }
            } else if let action = action(entry, set: map[.set], to: map[.to]) {
                actions.append(action)
            }
        }
        return (scenes, actions)
    }
}
