internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// Finds the shortest definitions of the services of an accessory.
struct DefinitionServiceEncoder {
    private let services: [FileService]
    private let isVerbatim: Bool
    /// The ids of the services in the file, if they are written.
    private let ids: [String?]
    private let index: DefinedServiceIndex
    /// The first position of a service with a key.
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

    /// Returns the part of Accessory Information that does not follow from the accessory's keys, or `nil` if there is
    /// none.
    func information(
        at position: Int,
        ids: DefinitionIDEncoder.ServiceIDs,
        implied: Service
    ) -> DefinedService? {
        let service = services[position]
        let following = zip(service.characteristics.indices, implied.characteristics)
            .prefix { ids.characteristics[$0] == nil && service.characteristics[$0].with(iid: nil) == $1 }
            .count
        var defined = header(at: position, ids)
        defined.characteristics = Array(characteristics(of: service, ids).dropFirst(following))
        for (index, listed) in defined.characteristics.enumerated() {
            defined.characteristics[index].hasValue = !implied.characteristics.contains {
                $0.type == listed.type && $0.value == listed.characteristic.value
            }
        }
        let isWhole = position == 0 && following == implied.characteristics.count
        // If only the type is left, the service can be omitted.
        let members = DefinedService.format(isVerbatim: isVerbatim).write(defined).members
        return isWhole && members.count == 1 ? nil : defined
    }

    /// Returns a service without the characteristics that are added automatically.
    func service(at position: Int, ids: DefinitionIDEncoder.ServiceIDs) -> DefinedService {
        let service = services[position]
        var defined = header(at: position, ids)
        let isNamed = hasNameKey(service, ids)
        defined.name = isNamed ? service.characteristics.first?.value?.string.map { Located($0) } : nil
        let start = isNamed ? 1 : 0
        let end = isVerbatim ? nil : endOfListedCharacteristics(in: service, from: start, ids)
        defined.isComplete = isVerbatim || end != nil
        let listed = characteristics(of: service, ids)
        defined.characteristics = Array(listed[start..<(end ?? listed.count)])
        return defined
    }

    /// Returns the properties of a service except its name and its characteristics.
    private func header(at position: Int, _ ids: DefinitionIDEncoder.ServiceIDs) -> DefinedService {
        var defined = DefinedService(fileService: services[position])
        defined.id = self.ids[position]
        defined.iid = ids.service.map { Located($0) }
        defined.links = services[position].linked.map { Located(link($0)) }
        return defined
    }

    /// Returns whether the name is written with its own key.
    private func hasNameKey(_ service: FileService, _ ids: DefinitionIDEncoder.ServiceIDs) -> Bool {
        guard let first = service.characteristics.first, let name = first.value?.string, ids.characteristics[0] == nil
        else {
            return false
        }
        return first.with(iid: nil) == Characteristic(cataloged: .name, value: .string(name))
            && service.key.type != .accessoryInformation
    }

    /// Returns the position at which the automatically added characteristics start, or `nil` if they cannot produce the
    /// same service.
    private func endOfListedCharacteristics(
        in service: FileService,
        from start: Int,
        _ ids: DefinitionIDEncoder.ServiceIDs
    ) -> Int? {
        let characteristics = service.characteristics.map { $0.with(iid: nil) }
        // The number of added characteristics is limited by the type, and each attempt checks all of them.
        let definition = Catalog.service(service.key.type)
        let most = definition.map { $0.required.count + $0.optional.count } ?? 0
        return (max(start, characteristics.count - most)...characteristics.count)
            .first { end in
                ids.areImplied(from: end)
                    && DefinitionDefaults.addedCharacteristics(
                        for: service.key.type,
                        listed: Array(characteristics[..<end])
                    )
                        == Array(characteristics[end...])
            }
    }

    /// Returns the shortest reference to a service: its type, its name, its id, or both type and id.
    private func link(_ key: ServiceKey) -> ServiceLink {
        let typeName = Catalog.service(key.type)?.id ?? key.type.uuid.description
        let target = positions[key]
        let candidates = [typeName, target.flatMap { services[$0].name }, target.flatMap { ids[$0] }]
        return candidates.lazy.compactMap(\.self).map(ServiceLink.text).first { index.services(matching: $0) == [key] }
            ?? .key(key)
    }

    // MARK: Characteristics

    /// Returns the characteristics of a service with their keys.
    ///
    /// The key is the name in the catalog, or for a vendor's characteristic its description or its UUID. In a copy of a
    /// real device, a type can occur twice; the key of the second characteristic then ends in a number.
    private func characteristics(
        of service: FileService,
        _ ids: DefinitionIDEncoder.ServiceIDs
    ) -> [DefinedCharacteristic] {
        let names = service.characteristics.lazy.compactMap(\.vendorKey)
        let counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var numbers: [CharacteristicType: Int] = [:]
        return zip(service.characteristics, ids.characteristics)
            .map { characteristic, iid in
                numbers[characteristic.type, default: 0] += 1
                let number = numbers[characteristic.type] ?? 1
                let name = characteristic.vendorKey.flatMap { counts[$0] == 1 ? $0 : nil }
                return DefinedCharacteristic(
                    characteristic: characteristic.with(iid: iid),
                    name: number > 1
                        ? "\(characteristic.type.nameOrUUID) (\(number))" : name ?? characteristic.type.nameOrUUID
                )
            }
    }
}

extension Characteristic {
    /// The description of a vendor's characteristic, if it can be a key.
    fileprivate var vendorKey: String? {
        guard let text = description, 1...64 ~= text.utf8.count, Catalog.characteristic(type) == nil,
            HAPUUID(text) == nil, Catalog.characteristic(named: text) == nil
        else { return nil }
        return text
    }
}
