internal import HAPCore
internal import HomeModel

extension HomeSession {
    /// The characteristic of a map, and what it is held to.
    mutating func test<Key: CharacteristicTestKey>(_ map: DefinitionMap<Key>) -> DocumentedTest? {
        let tests = Key.tests.filter { map[$0] != nil }
        guard let characteristic = property(map[.characteristic]), tests.count == 1, let key = tests.first,
            let field = map[key]
        else {
            base.findings.report(
                map.field,
                "a characteristic is held to one thing; write \"characteristic: Service/Property\" and one of "
                    + Key.tests.map(\.rawValue).joined(separator: ", ")
            )
            return nil
        }
        let test: DocumentedTest.Test?
        switch TestKey(rawValue: key.rawValue) {
        case .becomes, .is: test = value(field).map { .equals($0) }
        case .changes: test = base.flag(field) ? .changes : unchanged(field)
        case .above: test = number(field).map { .above($0) }
        case .below: test = number(field).map { .below($0) }
        case .within, nil: test = range(field).map { .within($0) }
        }
        return test.map { DocumentedTest(characteristic: characteristic, test: $0) }
    }

    private mutating func unchanged(_ field: DefinitionField) -> DocumentedTest.Test? {
        base.findings.report(field, "nothing happens while nothing changes; write true")
        return nil
    }

    private mutating func number(_ field: DefinitionField) -> JSONNumber? {
        if case .number(let number) = field.node.scalar?.meaning { return number }
        if let text = field.node.scalar?.text, text.last == "%",
            let number = JSONNumber(definition: String(text.dropLast()))
        {
            return number
        }
        base.findings.report(field, "\(field.node.kind) is no number; write one")
        return nil
    }

    private mutating func range(_ field: DefinitionField) -> ClosedRange<JSONNumber>? {
        let text = field.node.scalar?.text ?? ""
        let parts = text.utf8.count <= 128 ? text.split(separator: "...", omittingEmptySubsequences: false) : []
        guard parts.count == 2, let least = JSONNumber(definition: String(parts[0])),
            let greatest = JSONNumber(definition: String(parts[1])), least <= greatest
        else {
            base.findings.report(field, "\(field.node.kind) is no range; write it as 18...24")
            return nil
        }
        return least...greatest
    }
}
