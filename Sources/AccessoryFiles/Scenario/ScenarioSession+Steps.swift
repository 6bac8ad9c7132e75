internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension ScenarioSession {
    mutating func step(_ field: DocumentField, depth: Int) -> ScenarioStep? {
        if let text = field.node.scalar?.text, text == "pause" || text == "resume" {
            return ScenarioStep(.act(text == "pause" ? .pause : .resume), place: position(field))
        }
        guard let map = DocumentMap(field, known: StepKey.allCases, &base.findings) else { return nil }
        let name = base.text(map[.name], bytes: 1...256)
        let moment = moment(map)
        let condition = map[.when]
            .flatMap { expectation($0, standard: ScenarioExpectation.standardConditionLimit) }
        let kinds = StepKey.deeds.filter { map[$0] != nil }
        guard kinds.count <= 1 else {
            base.findings.report(
                field,
                "a step does one thing, and this one \(kinds.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")); "
                    + "make a step of each"
            )
            return nil
        }
        let companions = kinds.first.flatMap { StepKey.companions[$0] } ?? []
        for key in Set(StepKey.companions.values.joined()).subtracting(companions)
            .sorted(by: { $0.rawValue < $1.rawValue })
        {
            guard let stray = map[key] else { continue }
            let owners = StepKey.companions.filter { $0.value.contains(key) }.keys.map(\.rawValue).sorted()
            base.findings.report(stray, "this goes with \(owners.map { "\"\($0)\"" }.alternatives); write that, too")
        }
        let deed: ScenarioStep.Deed?
        if let kind = kinds.first, let value = map[kind] {
            deed = self.deed(kind, value, map, depth: depth)
        } else {
            deed = .nothing
            if map[.at] == nil, map[.after] == nil, map[.when] == nil,
                !StepKey.deeds.contains(where: { !map.lacks($0) })
            {
                base.findings.report(
                    field,
                    "this step does nothing; write one of "
                        + StepKey.deeds.map(\.rawValue).joined(separator: ", ")
                )
            }
        }
        guard let deed else { return nil }
        return ScenarioStep(deed, name: name, place: position(field), moment: moment, condition: condition)
    }

    private mutating func moment(_ map: DocumentMap<StepKey>) -> ScenarioStep.Moment? {
        if let at = map[.at], map[.after] != nil {
            base.findings.report(at, "a step has one moment; write either \"at\" or \"after\"")
        }
        if let at = duration(map[.at]) { return .at(at) }
        return duration(map[.after]).map { .after($0) }
    }

    private mutating func deed(
        _ kind: StepKey,
        _ field: DocumentField,
        _ map: DocumentMap<StepKey>,
        depth: Int
    ) -> ScenarioStep.Deed? {
        switch kind {
        case .set:
            guard let to = map[.to] else {
                if map.lacks(.to) { base.findings.report(field, "nobody knows to what it is set; write \"to: VALUE\"") }
                return nil
            }
            let target = target(field)
            let value = value(to)
            guard let target, let value else { return nil }
            return .act(.set(target, to: value))
        case .press:
            let press = map[.how].flatMap { base.word($0, ScenarioWords.presses) } ?? .single
            return target(field).map { .act(.press($0, press)) }
        case .stop: return target(field).map { .act(.stop($0)) }
        case .obstruct: return target(field).map { .act(.obstruct($0)) }
        case .fault: return fault(field, map).map { .act(.fault($0)) }
        case .clear: return clear(field, map[.on])
        case .advance: return duration(field).map { .act(.advance($0)) }
        case .pause: return check(field) ? .act(.pause) : nil
        case .resume: return check(field) ? .act(.resume) : nil
        case .scale:
            guard case .number(let number) = field.node.scalar?.meaning,
                BehaviorClock.scales.contains(number.double)
            else {
                base.findings.report(
                    field,
                    "\(field.node.kind) is no speed of time; write a number from 0.001 to 1000000"
                )
                return nil
            }
            return .act(.scale(number.double))
        case .arrive: return base.text(field, bytes: 1...256).map { .act(.arrive($0)) }
        case .leave: return base.text(field, bytes: 1...256).map { .act(.leave($0)) }
        case .log: return base.text(field, bytes: 1...1_000).map { .act(.log($0)) }
        case .repeat: return repetition(field, map, depth: depth)
        case .expect: return expectation(field, standard: ScenarioExpectation.standardLimit).map { .expect($0) }
        case .name, .at, .after, .when, .to, .how, .with, .on, .count, .lasting, .steps: return nil
        }
    }

    /// Whether nothing or `true` stands where there is nothing to say.
    private mutating func check(_ field: DocumentField) -> Bool {
        switch field.node.scalar?.meaning {
        case .null, .bool(true): return true
        case .bool, .number, .text, nil:
            base.findings.report(field, "there is nothing to say here; write true, or the key's word alone")
            return false
        }
    }

    private mutating func clear(_ field: DocumentField, _ on: DocumentField?) -> ScenarioStep.Deed? {
        let names: [(String, String?)] = FaultCatalogue.definitions.map { ($0.name, $0.name) }
        let words: [(String, String?)] = [(ScenarioWords.obstruction, nil), (ScenarioWords.faults, nil)] + names
        guard let name = base.word(field, words), let text = field.node.scalar?.text else { return nil }
        let target = target(on)
        guard text == ScenarioWords.obstruction else { return .act(.clear(fault: name, on: target)) }
        guard let target else {
            base.findings.report(field, "nobody knows what is obstructed; write \"on: SERVICE\"")
            return nil
        }
        return .act(.clearObstruction(target))
    }

    private mutating func fault(_ field: DocumentField, _ map: DocumentMap<StepKey>) -> FaultWish? {
        let definitions = FaultCatalogue.definitions.map { ($0.name, $0) }
        guard let definition = base.word(field, definitions) else { return nil }
        var arguments: [String: SimulationArgument] = [:]
        if let with = map[.with] {
            let keys = definition.parameters.map { FreeKey(rawValue: $0.name) }
            guard !keys.isEmpty else {
                base.findings.report(with, "\(definition.name) has nothing to set; leave this away")
                return nil
            }
            if let inner = DocumentMap(with, known: keys, &base.findings) {
                for parameter in definition.parameters {
                    guard let value = inner[FreeKey(rawValue: parameter.name)] else { continue }
                    arguments[parameter.name] = base.argument(value, of: parameter.kind, [])
                }
            }
        }
        if let count = map[.count], !definition.occurrence.takesCount {
            base.findings.report(count, "\(definition.name) does not act several times; leave this away")
        }
        if let lasting = map[.lasting], !definition.occurrence.takesDuration {
            base.findings.report(lasting, "\(definition.name) is over at once; leave this away")
        }
        return FaultWish(
            definition.name,
            arguments: arguments,
            on: target(map[.on]),
            count: base.integer(map[.count], in: 1...1_000_000).map { Int($0) },
            duration: duration(map[.lasting])
        )
    }

    private mutating func repetition(
        _ field: DocumentField,
        _ map: DocumentMap<StepKey>,
        depth: Int
    ) -> ScenarioStep.Deed? {
        let range = Scenario.repetitions
        let count = base.integer(field, in: UInt64(range.lowerBound)...UInt64(range.upperBound))
        if map.lacks(.steps) {
            base.findings.report(field, "nothing is repeated; write what is under \"steps\"")
        }
        guard depth < Scenario.maximumDepth else {
            base.findings.report(
                field,
                "repetitions lie in each other more than \(Scenario.maximumDepth) deep; write them flat"
            )
            return nil
        }
        let steps = self.steps(map[.steps], depth: depth + 1)
        if let field = map[.steps], field.node.isEmptySequence {
            base.findings.report(field, "nothing is repeated; write what is")
        }
        return count.map { .repeat(Int($0), steps) }
    }

    // MARK: Expectations

    private mutating func expectation(_ field: DocumentField, standard: Duration) -> ScenarioExpectation? {
        guard let map = DocumentMap(field, known: ExpectationKey.allCases, &base.findings) else { return nil }
        let kinds = ExpectationKey.kinds.filter { map[$0] != nil }
        guard let kind = kinds.first, let value = map[kind], kinds.count == 1 else {
            base.findings.report(
                field,
                "one thing is waited for; write one of \(ExpectationKey.kinds.map(\.rawValue).joined(separator: ", "))"
            )
            return nil
        }
        let limit = duration(map[.within])
        if map[.within] != nil, limit == nil { return nil }
        let event: ScenarioExpectation.Event?
        switch kind {
        case .controller:
            let deed = base.word(value, ControllerDeed.allCases.map { ($0.rawValue, $0) })
            let target = target(map[.of])
            for key in ExpectationKey.tests {
                if let stray = map[key] {
                    base.findings.report(stray, "this goes with a characteristic; leave it away")
                }
            }
            event = deed.map { .controller($0, target) }
        case .characteristic, .event:
            if let stray = map[.of] { base.findings.report(stray, "this goes with \"controller\"; leave it away") }
            event = characteristic(value, map, isEvent: kind == .event)
        case .becomes, .above, .below, .of, .within: event = nil
        }
        return event.map { ScenarioExpectation($0, within: limit ?? standard, place: position(field)) }
    }

    private mutating func characteristic(
        _ field: DocumentField,
        _ map: DocumentMap<ExpectationKey>,
        isEvent: Bool
    ) -> ScenarioExpectation.Event? {
        let tests = ExpectationKey.tests.filter { map[$0] != nil }
        let target = target(field)
        guard let key = tests.first, tests.count == 1, let value = map[key] else {
            guard isEvent, tests.isEmpty else {
                base.findings.report(
                    map.field,
                    "a value is held to one thing; write one of "
                        + ExpectationKey.tests.map(\.rawValue).joined(separator: ", ")
                )
                return nil
            }
            return target.map { .event($0, nil) }
        }
        var test: ValueTest?
        if key == .becomes {
            test = self.value(value).map { .equals($0) }
        } else if let number = value.node.scalar.flatMap({ JSONNumber(measured: $0.text) }) {
            test = key == .above ? .above(number.double) : .below(number.double)
        } else {
            base.findings.report(value, "\(value.node.kind) is no number; write one, such as 21.5")
        }
        guard let target, let test else { return nil }
        return isEvent ? .event(target, test) : .value(target, test)
    }
}
