internal import AccessoryModel
internal import Documents

/// A merge of the settings of accessories and services: rooms, names, and the types that services count as.
struct ServiceMerger {
    /// The services that are named in the file.
    private(set) var namedServices: Set<ObjectID<HomeService>> = []
    private let rooms: ObjectNames<Room>
    private let isComplete: Bool

    init(rooms: ObjectNames<Room>, isComplete: Bool) {
        self.rooms = rooms
        self.isComplete = isComplete
    }

    /// Applies the rooms, names and types of the file to a home.
    mutating func apply(
        to home: inout Home,
        _ accessories: inout MergedAccessories,
        _ diagnostics: inout MergeDiagnostics
    ) {
        let indices = home.accessories.indicesByID
        for entry in accessories.entries {
            guard let id = entry.id, let index = indices[id] else { continue }
            var accessory = home.accessories[index]
            if let name = entry.described.room, let room = diagnostics.room(name, in: rooms) {
                accessory.room = room
            }
            var seen: Set<Int> = []
            var positions = ServicePositions(of: accessory.services, announced: accessories.announced[id])
            for described in entry.described.services {
                guard let position = position(of: described, in: accessory, positions, &accessories, &diagnostics)
                else {
                    continue
                }
                let service = accessory.services[position]
                guard seen.insert(position).inserted else {
                    diagnostics.report(
                        described.key.location,
                        .serviceTwice(service.name.text, at: diagnostics.path())
                    )
                    continue
                }
                let merged = merged(service, as: described, &diagnostics)
                if described.name != nil {
                    positions.rename(position, from: service.name, to: merged.name)
                    namedServices.insert(merged.id)
                }
                let location = described.name?.location ?? described.key.location
                diagnostics.recordLocation(location, at: accessory.name, merged.name)
                diagnostics.recordLocation(location, at: merged.name)
                accessory.services[position] = merged
            }
            if isComplete {
                reset(&accessory, as: entry.described, except: seen)
            }
            home.accessories[index] = accessory
        }
    }

    private func merged(
        _ service: HomeService,
        as described: HomeDescription.Service,
        _ diagnostics: inout MergeDiagnostics
    ) -> HomeService {
        var merged = service
        merged.name = described.name?.value ?? service.name
        if let name = described.room, let room = diagnostics.room(name, in: rooms) {
            merged.room = room
        } else if isComplete, described.room == nil {
            merged.room = nil
        }
        if let type = described.associatedType {
            if AssociatedTypes.allows(type.value, for: service.type) {
                merged.associatedType = type.value
            } else {
                diagnostics.report(
                    type.location,
                    .disallowedAssociatedType(type.value, at: diagnostics.path(merged.name))
                )
            }
        } else if isComplete {
            merged.associatedType = nil
        }
        return merged
    }

    /// Resets the settings that the file omits, if it describes the complete home.
    private func reset(
        _ accessory: inout HomeAccessory,
        as described: HomeDescription.Accessory,
        except named: Set<Int>
    ) {
        if described.room == nil {
            accessory.room = .entireHome
        }
        for position in accessory.services.indices where !named.contains(position) {
            accessory.services[position].room = nil
            accessory.services[position].associatedType = nil
        }
    }

    /// Returns the index of the service that an entry describes, and reports an error if there is none.
    private func position(
        of service: HomeDescription.Service,
        in accessory: HomeAccessory,
        _ positions: ServicePositions,
        _ accessories: inout MergedAccessories,
        _ diagnostics: inout MergeDiagnostics
    ) -> Int? {
        let designation = ServiceLabel(service.key.value)
        if let position = positions.position(of: designation) { return position }
        // An earlier merge has already given the service the name in the file.
        if let name = service.name, let position = positions.first(named: name.value) { return position }
        let count = positions.count(of: designation)
        if designation.number == nil, count > 1 {
            let type = designation.type?.nameOrUUID ?? ""
            let error = HomeError(
                .ambiguousName,
                at: diagnostics.path(accessory.name),
                "It has \(count) services \(ObjectName.quoted(service.key.value)).",
                remedy: "Write \(type) (1)\(count == 2 ? " or" : " to") \(type) (\(count))."
            )
            diagnostics.report(service.key.location, error)
            return nil
        }
        let shown = accessory.services.lazy.filter(\.isVisible)
        var error = diagnostics.unknown("service", service.key.value, among: shown.map(\.name.text))
        error.path = diagnostics.path(accessory.name)
        if accessories.isMissing(accessory) {
            error.remedy = "Say its \"type\", or import the file again once the accessory is found."
            diagnostics.addPending(service.key.location, error)
            accessories.hasUnknownServices = true
        } else {
            diagnostics.report(service.key.location, error)
        }
        return nil
    }
}

extension MergeDiagnostics {
    /// Returns the room with a name, possibly the one for the entire home, and reports an error if there is none.
    mutating func room(_ name: Located<String>, in rooms: ObjectNames<Room>) -> ObjectID<Room>? {
        let isEntireHome = ServiceNameIndex.key(of: name.value) == ObjectName.entireHome.key
        return isEntireHome ? .entireHome : find(name, in: rooms)
    }
}
