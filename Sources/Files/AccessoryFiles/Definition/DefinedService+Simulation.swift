internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension DocumentReader {
    /// Reads the simulation model of a service, and reports invalid settings.
    mutating func simulation(
        _ field: DocumentField,
        of type: ServiceType,
        _ characteristics: [DefinedCharacteristic]
    ) -> SimulationChoice? {
        let models = SimulationCatalog.models
        // Only models that can drive the service are suggested: those for its type, or else any.
        let types = Set(characteristics.map(\.type))
        let able = models.filter { !$0.requiredTypes.isEmpty && types.isSuperset(of: $0.requiredTypes) }
        let made = able.filter { $0.services.contains(type) }
        let possible = (made.isEmpty ? able : made).map(\.name)
        guard let members = field.node.mapping else {
            let words =
                [("auto", SimulationChoice.automatic), ("none", .none)]
                + models.map { ($0.name, SimulationChoice.model($0.model())) }
            if let text = field.node.scalar?.text, !words.contains(where: { $0.0 == text }),
                let hint = modelHint(forParameter: text, "…", characteristics)
            {
                report(field, hint)
                return nil
            }
            guard let choice = word(field, words, suggesting: ["auto", "none"] + possible) else { return nil }
            if let model = models.first(where: { $0.name == field.node.scalar?.text }) {
                check(model, characteristics, field)
            }
            return choice
        }
        let names = possible.joined(separator: ", ")
        guard let member = members.first, members.count == 1 else {
            report(field, "a service has only one model; write one of \(names) with its parameters")
            return nil
        }
        let inner = field.member(member)
        guard let model = SimulationCatalog.model(named: member.key) else {
            let value = inner.node.scalar?.text.shortenedForDisplay ?? "…"
            if let hint = modelHint(forParameter: member.key, value, characteristics) {
                report(at: field.location(of: member), hint)
                return nil
            }
            let nearest = nearest(to: member.key, among: possible)
            report(
                at: field.location(of: member),
                "there is no model \(member.key.quotedForDisplay); write \(nearest ?? "one of \(names)")"
            )
            return nil
        }
        check(model, characteristics, inner)
        if case .null = inner.node.scalar?.meaning {
            return .model(model.model())
        }
        guard let map = DocumentMap(inner, known: model.parameters.map(\.name), &diagnostics)
        else { return nil }
        var arguments: [String: SimulationArgument] = [:]
        for parameter in model.parameters {
            if let field = map[parameter.name] {
                arguments[parameter.name] = argument(field, of: parameter, characteristics)
            }
        }
        return .model(model.model(arguments))
    }

    /// Returns a hint how to write a parameter that is given without its model.
    ///
    /// A model that fits the service is preferred.
    private func modelHint(
        forParameter name: String,
        _ value: String,
        _ characteristics: [DefinedCharacteristic]
    ) -> String? {
        let types = Set(characteristics.map(\.type))
        let models = SimulationCatalog.models.filter { $0.parameters.contains { $0.name == name } }
        guard let model = models.first(where: { types.isSuperset(of: $0.requiredTypes) }) ?? models.first else {
            return nil
        }
        return "\(name) is a parameter of a model; write \"simulate: { \(model.name): { \(name): \(value) } }\""
    }

    private mutating func check(
        _ model: SimulationModelDefinition,
        _ characteristics: [DefinedCharacteristic],
        _ field: DocumentField
    ) {
        let types = Set(characteristics.map(\.type))
        let missing = model.requiredTypes.filter { !types.contains($0) }
        guard !missing.isEmpty else { return }
        report(
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
        guard case .durationOrCharacteristic = parameter.kind,
            let named = characteristics.named(by: field)?.characteristic
        else { return Format.argument(parameter).read(field, &self) }
        let metadata = named.metadata
        switch metadata.format {
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            if metadata.unit == nil || metadata.unit == .seconds { return .characteristic(named.type) }
        case .bool, .string, .tlv8, .data: break
        }
        let unit = metadata.unit.map { " in \($0.rawValue)" } ?? ""
        report(
            field,
            "\(field.node.kind) has the format \(metadata.format.rawValue)\(unit); write a duration such as 1s, or the "
                + "name of a characteristic that holds a number of seconds"
        )
        return nil
    }
}

extension [DefinedCharacteristic] {
    /// Returns the characteristic that an argument names, or `nil` for a duration and for a number without a unit.
    fileprivate func named(by field: DocumentField) -> DefinedCharacteristic? {
        guard let scalar = field.node.scalar, case .text = scalar.meaning, DurationText.read(scalar.text) == nil else {
            return nil
        }
        if let named = first(where: { $0.name == scalar.text }) { return named }
        // The text "8" is also the short UUID of Brightness.
        let isNumber = scalar.text.utf8.count <= 2 && scalar.text.allSatisfy(\.isHexDigit)
        guard !isNumber, let type = CharacteristicType(inDefinition: scalar.text) else { return nil }
        return first { $0.type == type }
    }
}

extension DefinedService {
    /// The simulation as it is written.
    var documentSimulation: DocumentTree {
        switch fileService.simulation {
        case .automatic: return .text("auto")
        case .none: return .text("none")
        case .model(let model):
            guard let definition = SimulationCatalog.model(named: model.name), !model.arguments.isEmpty else {
                return .text(model.name)
            }
            let written = definition.parameters.compactMap { parameter -> DocumentTree.Member? in
                guard let argument = model.arguments[parameter.name] else { return nil }
                guard case .characteristic(let type) = argument else {
                    return .init(parameter.name, Format.argument(parameter).write(argument))
                }
                let name = characteristics.first { $0.type == type }?.name ?? type.nameOrUUID
                return .init(
                    parameter.name,
                    .text(DurationText.read(name) == nil ? name : type.uuid.description)
                )
            }
            return .inlineMap([.init(definition.name, .inlineMap(written))])
        }
    }
}
