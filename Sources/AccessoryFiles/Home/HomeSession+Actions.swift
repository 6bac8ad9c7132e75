internal import HAPCore
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
        let characteristic = property(set)
        let value = self.value(to)
        guard let characteristic, let value else { return nil }
        return DocumentedAction(characteristic: characteristic, value: value)
    }

    mutating func value(_ field: DefinitionField) -> Placed<DocumentedValue>? {
        guard let scalar = field.node.scalar, scalar.meaning != .null else {
            base.findings.report(field, "\(field.node.kind) is no value; write one, such as true, 50 or Closed")
            return nil
        }
        remainingValueBytes -= min(scalar.text.utf8.count, remainingValueBytes + 1)
        guard remainingValueBytes >= 0 else {
            base.findings.report(
                field,
                "the values of the file have more than \(DefinitionText.maximumSize) bytes together; shorten them"
            )
            return nil
        }
        return Placed(Self.value(scalar), at: place(field))
    }

    /// A value as it is written: a text property tells `1.50` from `1.5`.
    private static func value(_ scalar: DefinitionScalar) -> DocumentedValue {
        let plain: DocumentedValue
        let spelling: String
        switch scalar.meaning {
        case .null, .text: return .text(scalar.text)
        case .bool(let flag):
            plain = .bool(flag)
            spelling = flag ? "true" : "false"
        case .number(let number):
            plain = .number(number)
            if scalar.text == number.definitionText { return plain }
            spelling = number.description
        }
        return scalar.text == spelling ? plain : .spelt(plain, scalar.text)
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
