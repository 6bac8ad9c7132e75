internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// Finds the shortest definitions of the services of an accessory.
struct DefinitionServiceEncoder {
    private let services: [FileService]
    private let isVerbatim: Bool
    /// The ids that are written, of each service.
    private let ids: [String?]
    private let index: DefinedServiceIndex
    /// Where the service with a key stands first.
    private let positions: [ServiceKey: Int]

    init(_ services: [FileService], isVerbatim: Bool) {
        self.services = services
        self.isVerbatim = isVerbatim
        var types: Set<ServiceType> = []
        let ids = services.map { service -> String? in
            let isFirst = types.insert(service.key.type).inserted
            let implied = isFirst ? "" : service.name ?? ""
            return service.key.subtype == implied ? nil : service.key.subtype
        }
        self.ids = ids
        index = DefinedServiceIndex(zip(services, ids).lazy.map { ($0.key, $1, $0.name) })
        positions = Dictionary(zip(services.map(\.key), services.indices)) { first, _ in first }
    }

    /// Accessory Information, of which only that is written which does not follow from the accessory's keys; `nil` when
    /// that is nothing.
    func information(
        at position: Int,
        ids: DefinitionNumbers.ServiceIDs,
        implied: FileService
    ) -> DocumentTree? {
        let service = services[position]
        var following = 0
        while following < min(service.characteristics.count, implied.characteristics.count),
            ids.characteristics[following] == nil,
            service.characteristics[following].withoutID == implied.characteristics[following]
        {
            following += 1
        }
        var members = flags(of: position, ids: ids)
        let listed = service.characteristics.indices.dropFirst(following)
        if !listed.isEmpty {
            let encoder = DefinitionCharacteristicEncoder(service, isVerbatim: isVerbatim)
            let written = listed.map { position in
                let characteristic = service.characteristics[position]
                let follows = implied.characteristics.contains {
                    $0.type == characteristic.type && $0.value == characteristic.value
                }
                let iid = ids.characteristics[position]
                return follows ? encoder.valueless(at: position, iid: iid) : encoder.member(at: position, iid: iid)
            }
            members.add(.characteristics, .map(written))
        }
        let isEmpty = members.isEmpty && position == 0 && following == implied.characteristics.count
        return isEmpty ? nil : .map([.init(ServiceField.type.rawValue, Self.name(of: service.key.type))] + members)
    }

    /// Any other service.
    func service(at position: Int, ids: DefinitionNumbers.ServiceIDs) -> DocumentTree {
        let service = services[position]
        var members: [DocumentTree.Member] = []
        members.add(.type, Self.name(of: service.key.type))
        let hasName = hasName(service, ids)
        if hasName {
            members.add(.name, service.name.map(DocumentTree.text))
        }
        members += flags(of: position, ids: ids)
        let start = hasName ? 1 : 0
        let end = isVerbatim ? nil : endOfListed(in: service, from: start, ids)
        if !isVerbatim, end == nil {
            members.add(.complete, .flag(false))
        }
        let listed = start..<(end ?? service.characteristics.count)
        if !listed.isEmpty {
            let encoder = DefinitionCharacteristicEncoder(service, isVerbatim: isVerbatim)
            let written = listed.map { encoder.member(at: $0, iid: ids.characteristics[$0]) }
            members.add(.characteristics, .map(written))
        }
        return .map(members)
    }

    /// What a service says besides its type, its name and its characteristics.
    private func flags(of position: Int, ids: DefinitionNumbers.ServiceIDs) -> [DocumentTree.Member] {
        let service = services[position]
        var members: [DocumentTree.Member] = []
        members.add(.id, self.ids[position].map(DocumentTree.text))
        members.add(.iid, ids.service)
        members.add(.primary, service.isPrimary ? .flag(true) : nil)
        members.add(.hidden, service.isHidden ? .flag(true) : nil)
        if !service.linked.isEmpty {
            members.add(.linked, .list(service.linked.map(link)))
        }
        if service.simulation != (isVerbatim ? .none : .automatic) {
            members.add(.simulate, simulation(of: service))
        }
        return members
    }

    /// Whether a key of its own says the name.
    private func hasName(_ service: FileService, _ ids: DefinitionNumbers.ServiceIDs) -> Bool {
        guard let first = service.characteristics.first, let name = first.value?.string, ids.characteristics[0] == nil
        else {
            return false
        }
        return first.withoutID == Characteristic(catalogued: .name, value: .string(name))
            && service.key.type != .accessoryInformation
    }

    /// Where the characteristics begin that are added anyway; `nil` when what is there cannot be had with any added.
    private func endOfListed(
        in service: FileService,
        from start: Int,
        _ ids: DefinitionNumbers.ServiceIDs
    ) -> Int? {
        let characteristics = service.characteristics.map(\.withoutID)
        // No more are added than the type has, and each attempt looks at all.
        let definition = Catalogue.service(service.key.type)
        let most = definition.map { $0.required.count + $0.optional.count } ?? 0
        return (max(start, characteristics.count - most)...characteristics.count)
            .first { end in
                ids.areImplied(from: end)
                    && DefinitionStandard.completion(of: service.key.type, listed: Array(characteristics[..<end]))
                        == Array(characteristics[end...])
            }
    }

    private static func name(of type: ServiceType) -> DocumentTree {
        if let definition = Catalogue.service(type), Catalogue.service(named: definition.id)?.type == type {
            return .text(definition.id)
        }
        return .text(type.uuid.description)
    }

    private func simulation(of service: FileService) -> DocumentTree {
        switch service.simulation {
        case .automatic: return .text("auto")
        case .none: return .text("none")
        case .model(let model):
            guard let definition = SimulationCatalogue.model(named: model.name), !model.arguments.isEmpty else {
                return .text(model.name)
            }
            let written = definition.parameters.compactMap { parameter -> DocumentTree.Member? in
                model.arguments[parameter.name].map { .init(parameter.name, argument($0, of: service)) }
            }
            return .inlineMap([.init(definition.name, .inlineMap(written))])
        }
    }

    private func argument(_ argument: SimulationArgument, of service: FileService) -> DocumentTree {
        switch argument {
        case .duration(let duration): return .word(DurationText.write(duration) ?? "0s")
        case .characteristic(let type):
            let position = service.characteristics.firstIndex { $0.type == type }
            let encoder = DefinitionCharacteristicEncoder(service, isVerbatim: isVerbatim)
            guard let position, DurationText.read(encoder.key(at: position)) == nil else {
                return .text(type.uuid.description)
            }
            return .text(encoder.key(at: position))
        case .number(let number): return .number(JSONNumber(number) ?? 0)
        case .flag(let flag): return .flag(flag)
        case .choice(let word): return .text(word)
        }
    }

    /// The shortest that means a service: its type, its name, its id, or both of the first and the last.
    private func link(_ key: ServiceKey) -> DocumentTree {
        let typeName = Catalogue.service(key.type)?.id ?? key.type.uuid.description
        let target = positions[key]
        let candidates = [typeName, target.flatMap { services[$0].name }, target.flatMap { ids[$0] }]
        for candidate in candidates.compactMap(\.self) where meant(by: candidate) == [key] {
            return .text(candidate)
        }
        let type = DocumentTree.Member(ServiceField.type.rawValue, Self.name(of: key.type))
        return .inlineMap(key.subtype.isEmpty ? [type] : [type, .init(ServiceField.id.rawValue, .text(key.subtype))])
    }

    /// The services that a text means, as ``DefinitionReader`` finds them.
    private func meant(by text: String) -> [ServiceKey] {
        index.services(meantBy: text, type: DefinitionSession.serviceType(named: text))
    }
}

extension Characteristic {
    /// The characteristic without its id.
    fileprivate var withoutID: Characteristic {
        var characteristic = self
        characteristic.iid = nil
        return characteristic
    }
}

extension [DocumentTree.Member] {
    fileprivate mutating func add(_ key: ServiceField, _ value: DocumentTree?) {
        if let value {
            append(.init(key.rawValue, value))
        }
    }
}
