internal import Documents
internal import HAPCore
internal import HomeModel
internal import Simulation

/// One reading of a scenario.
struct ScenarioSession {
    /// What reads texts, flags and numbers, and collects what is wrong.
    var base = DefinitionSession()
    /// How many steps may still be read.
    private var remaining = Scenario.maximumSteps

    /// What a file says.
    mutating func scenario(_ root: DocumentField) -> Scenario? {
        guard let map = DocumentMap(root, known: ScenarioKey.allCases, &base.findings) else { return nil }
        if map.lacks(.scenario) {
            base.findings.report(root, "the scenario has no name; begin with \"scenario: NAME\"")
        }
        if map.lacks(.steps) {
            base.findings.report(root, "nothing happens; write what does under \"steps\"")
        }
        let name = base.text(map[.scenario], bytes: 1...256)
        let summary = base.text(map[.summary])
        let files = self.files(map[.serve])
        let home = base.text(map[.home], bytes: 1...4_096)
        let start = base.value(
            map[.start],
            "date and time",
            "write them as 2026-12-24 18:00",
            { CivilDateTime($0) == nil ? nil : $0 }
        )
        if let field = map[.start], home == nil {
            base.findings.report(field, "only a home has a calendar; name its file under \"home\", or leave this away")
        }
        let seed = base.integer(map[.seed], in: 0...UInt64.max)
        let steps = self.steps(map[.steps], depth: 0)
        if let field = map[.steps], field.node.isEmptySequence {
            base.findings.report(field, "nothing happens; write what does")
        }
        guard let name else { return nil }
        return Scenario(
            name: name,
            summary: summary,
            files: files,
            home: home,
            start: start,
            seed: seed,
            steps: steps
        )
    }

    private mutating func files(_ field: DocumentField?) -> [String] {
        guard let field else { return [] }
        if field.node.scalar != nil {
            return [base.text(field, bytes: 1...4_096)].compactMap(\.self)
        }
        let entries = base.list(field)
        if entries.isEmpty {
            base.findings.report(field, "no file is named; name one, or leave this away for the Kilgo garage")
        }
        return entries.compactMap { base.text($0, bytes: 1...4_096) }
    }

    mutating func steps(_ field: DocumentField?, depth: Int) -> [ScenarioStep] {
        base.list(field)
            .compactMap { entry in
                remaining -= 1
                return remaining >= 0 ? step(entry, depth: depth) : nil
            }
    }

    func position(_ field: DocumentField) -> ScenarioPosition {
        ScenarioPosition(
            line: field.node.position.line,
            column: field.node.position.column,
            path: field.path.description
        )
    }

    mutating func target(_ field: DocumentField?) -> SimulationTarget? {
        base.text(field, bytes: 1...1_000).map { SimulationTarget($0) }
    }

    /// A value as it is written.
    mutating func value(_ field: DocumentField) -> String? {
        if let scalar = field.node.scalar, scalar.meaning != .null { return scalar.text }
        base.findings.report(field, "\(field.node.kind) is no value; write one, such as true, 50 or Closed")
        return nil
    }

    mutating func duration(_ field: DocumentField?) -> Duration? {
        let duration = base.value(field, "duration", "write it as 12s, 5min or 2d 7h 30min", DurationText.sum)
        if let field, let duration, duration > Scenario.longest {
            base.findings.report(field, "a scenario takes ten years at most; write up to 3650d")
            return nil
        }
        return duration
    }
}
