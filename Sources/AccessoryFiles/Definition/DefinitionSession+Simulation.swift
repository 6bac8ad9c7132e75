internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension DefinitionSession {
    /// What moves the values of a service.
    mutating func simulation(
        _ field: DocumentField?,
        _ characteristics: [DefinedCharacteristic]
    ) -> SimulationChoice {
        let standard: SimulationChoice = isVerbatim ? .none : .automatic
        guard let field else { return standard }
        let models = SimulationCatalogue.models
        guard let members = field.node.mapping else {
            let words =
                [("auto", SimulationChoice.automatic), ("none", .none)]
                + models.map { ($0.name, SimulationChoice.model($0.model())) }
            guard let choice = word(field, words) else { return standard }
            if let model = models.first(where: { $0.name == field.node.scalar?.text }) {
                check(model, characteristics, field)
            }
            return choice
        }
        guard let member = members.first, members.count == 1 else {
            findings.report(
                field,
                "a service has one model; write one of \(models.map(\.name).joined(separator: ", ")) with what is set"
            )
            return standard
        }
        let inner = field.member(member)
        guard let model = SimulationCatalogue.model(named: member.key) else {
            let nearest = findings.spelling.nearest(to: member.key, among: models.map(\.name))
            findings.report(
                in: field.file,
                at: member.position,
                path: inner.path,
                "there is no model \(member.key.quotedForPeople); write "
                    + (nearest
                        ?? "one of \(models.map(\.name).joined(separator: ", "))")
            )
            return standard
        }
        check(model, characteristics, inner)
        if case .null = inner.node.scalar?.meaning {
            return .model(model.model())
        }
        guard let map = DocumentMap(inner, known: model.parameters.map { FreeKey(rawValue: $0.name) }, &findings)
        else { return standard }
        var arguments: [String: SimulationArgument] = [:]
        for parameter in model.parameters {
            if let field = map[FreeKey(rawValue: parameter.name)] {
                arguments[parameter.name] = argument(field, of: parameter.kind, characteristics)
            }
        }
        return .model(model.model(arguments))
    }

    private mutating func check(
        _ model: SimulationModelDefinition,
        _ characteristics: [DefinedCharacteristic],
        _ field: DocumentField
    ) {
        let types = Set(characteristics.map(\.characteristic.type))
        let missing = model.needs.filter { !types.contains($0) }
        guard !missing.isEmpty else { return }
        findings.report(
            field,
            "\(model.name) moves \(missing.map(\.description).joined(separator: " and ")), "
                + "which this service does not have; add it, or write another model"
        )
    }

    mutating func argument(
        _ field: DocumentField,
        of kind: SimulationParameter.Kind,
        _ characteristics: [DefinedCharacteristic]
    ) -> SimulationArgument? {
        switch kind {
        case .duration(let range):
            return duration(field, in: range, orElse: "").map(SimulationArgument.duration)
        case .durationOrCharacteristic(let range):
            if let found = characteristic(field, among: characteristics) {
                return seconds(found.characteristic, field).map(SimulationArgument.characteristic)
            }
            return duration(field, in: range, orElse: ", or the name of a characteristic of this service")
                .map(SimulationArgument.duration)
        case .number(let range):
            guard case .number(let number) = field.node.scalar?.meaning, range.contains(number.double) else {
                findings.report(
                    field,
                    "\(field.node.kind) stands here; write a number from \(range.lowerBound) to \(range.upperBound)"
                )
                return nil
            }
            return .number(number.double)
        case .integer(let range):
            guard case .number(let number) = field.node.scalar?.meaning, let integer = Int(exactly: number.double),
                range.contains(integer)
            else {
                findings.report(
                    field,
                    "\(field.node.kind) stands here; write a whole number from \(range.lowerBound) to \(range.upperBound)"
                )
                return nil
            }
            return .number(number.double)
        case .flag:
            return .flag(flag(field))
        case .choice(let words):
            return word(field, words.map { ($0, SimulationArgument.choice($0)) })
        }
    }

    /// The characteristic that an argument names; none for a duration, and for a number that lacks its unit.
    private func characteristic(
        _ field: DocumentField,
        among characteristics: [DefinedCharacteristic]
    ) -> DefinedCharacteristic? {
        guard let scalar = field.node.scalar, case .text = scalar.meaning, DurationText.read(scalar.text) == nil else {
            return nil
        }
        if let named = characteristics.first(where: { $0.name == scalar.text }) { return named }
        // "8" is Brightness, too, to whoever writes UUIDs.
        let isNumber = scalar.text.utf8.count <= 2 && scalar.text.allSatisfy(\.isHexDigit)
        guard !isNumber, let type = Self.characteristicType(scalar.text) else { return nil }
        return characteristics.first { $0.characteristic.type == type }
    }

    /// The type of a characteristic, when it can hold seconds.
    private mutating func seconds(_ characteristic: Characteristic, _ field: DocumentField) -> CharacteristicType? {
        let metadata = characteristic.metadata
        switch metadata.format {
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            if metadata.unit == nil || metadata.unit == .seconds { return characteristic.type }
        case .bool, .string, .tlv8, .data: break
        }
        let unit = metadata.unit.map { " in \($0.rawValue)" } ?? ""
        findings.report(
            field,
            "\(field.node.kind) has the format \(metadata.format.rawValue)\(unit); write a duration such as 1s, or the "
                + "name of a characteristic that holds a number of seconds"
        )
        return nil
    }

    private mutating func duration(
        _ field: DocumentField,
        in range: ClosedRange<Duration>,
        orElse other: String
    ) -> Duration? {
        guard let text = field.node.scalar?.text, let duration = DurationText.read(text), range.contains(duration)
        else {
            let least = DurationText.write(range.lowerBound) ?? "0s"
            let greatest = DurationText.write(range.upperBound) ?? "24h"
            if let text = field.node.scalar?.text, let duration = DurationText.read(text + "s"),
                range.contains(duration)
            {
                findings.report(field, "\(field.node.kind) is no duration; add a unit: \(text)s")
                return nil
            }
            findings.report(
                field,
                "\(field.node.kind) is no duration; write one from \(least) to \(greatest), such as 250ms, 12s or 5min"
                    + other
            )
            return nil
        }
        return duration
    }
}
