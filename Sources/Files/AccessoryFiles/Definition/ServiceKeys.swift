internal import AccessoryModel
internal import Documents
internal import HAPCore

extension [DefinedService] {
    /// Assigns keys to the services of an accessory, and resolves their links.
    ///
    /// The subtype in the key is the service's id in the file. Without an id, the first service of a type has no
    /// subtype, and the others use their names. So adding a second service does not change the key of the first one.
    mutating func assignKeys(isVerbatim: Bool, _ reader: inout DocumentReader) {
        var types: Set<ServiceType> = []
        var keys: [ServiceKey: SourceLocation] = [:]
        for position in indices {
            let service = self[position]
            let isFirst = types.insert(service.type).inserted
            let key = ServiceKey(service.type, subtype: service.id ?? (isFirst ? "" : service.name?.value ?? ""))
            self[position].fileService.key = key
            if let other = keys.updateValue(service.location, forKey: key) {
                let number = self[...position].count { $0.type == service.type }
                reader.report(
                    at: service.location,
                    key.subtype.isEmpty
                        ? "\(other.path) is a \(service.type), too, and this one has no name; write \"name: "
                            + "\(service.type) \(number)\""
                        : "\(other.path) is a \(service.type) with the same \(service.id == nil ? "name" : "id"); "
                            + "give this one another \(service.id == nil ? "\"name\"" : "\"id\"")"
                )
            }
        }
        let index = DefinedServiceIndex(lazy.map { ($0.fileService.key, $0.id, $0.name?.value) })
        let names = compactMap { $0.id ?? $0.name?.value }
        for position in indices {
            let service = self[position]
            self[position].fileService.linked = service.links.compactMap {
                $0.key(of: service, among: index, names, isVerbatim: isVerbatim, &reader)
            }
        }
    }
}

extension Located<ServiceLink> {
    /// Returns the key of the service that a link means; reports a link without a target or with several.
    fileprivate func key(
        of service: DefinedService,
        among services: DefinedServiceIndex,
        _ names: [String],
        isVerbatim: Bool,
        _ reader: inout DocumentReader
    ) -> ServiceKey? {
        let location = location ?? service.location
        let found = services.services(matching: value)
        if let only = found.first, found.count == 1 {
            if isVerbatim || only != service.fileService.key { return only }
            reader.report(at: location, "this is the service itself; name another one, or remove the link")
            return nil
        }
        let shown =
            switch value {
            case .text(let text): text
            case .key(let key): "\(key.type) \(key.subtype)"
            }
        let nearest = found.isEmpty ? reader.nearest(to: shown, among: names) : nil
        reader.report(
            at: location,
            found.isEmpty
                ? "the accessory has no service \(shown.quotedForDisplay); "
                    + (nearest.map { "write \($0.quotedForDisplay)" } ?? "write the id, the name or the type of one")
                : "\(found.count) services match \(shown.quotedForDisplay); "
                    + "give them ids, or write a map with type and id"
        )
        return nil
    }
}
