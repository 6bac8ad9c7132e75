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
                arguments[parameter.name] = argument(field, of: parameter, characteristics)
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

    private mutating func argument(
        _ field: DocumentField,
        of parameter: SimulationParameter,
        _ characteristics: [DefinedCharacteristic]
    ) -> SimulationArgument? {
        if case .durationOrCharacteristic = parameter.kind,
            let found = characteristic(field, among: characteristics)
        {
            return seconds(found.characteristic, field).map(SimulationArgument.characteristic)
        }
        return Format.argument(parameter).read(field, &reader)
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
}
