internal import AccessoryModel
internal import HomeModel

/// A change that is reported to delegates.
enum ObjectChange: Sendable, Hashable {
    /// An object of a home that can be added and removed.
    enum Object: Sendable, Hashable {
        case room(ObjectID<Room>)
        case zone(ObjectID<Zone>)
        case group(ObjectID<ServiceGroup>)
        case scene(ObjectID<HomeScene>)
        case trigger(ObjectID<Automation>)
        case accessory(ObjectID<HomeAccessory>)
        case user(ObjectID<HomeUser>)
    }

    case homeAdded(ObjectID<Home>)
    case homeRemoved(ObjectID<Home>)
    case primaryHome
    case homeName(ObjectID<Home>)
    case homeHub(ObjectID<Home>)
    case accessControl(ObjectID<Home>)
    case added(ObjectID<Home>, Object)
    case removed(ObjectID<Home>, Object)
    case renamed(ObjectID<Home>, Object)
    case moved(ObjectID<Home>, ObjectID<HomeAccessory>)
    case services(ObjectID<Home>, ObjectID<HomeAccessory>)
    case serviceName(ObjectID<Home>, ObjectID<HomeAccessory>, ObjectID<HomeService>)
    case associatedType(ObjectID<Home>, ObjectID<HomeAccessory>, ObjectID<HomeService>)
    case roomInZone(ObjectID<Home>, ObjectID<Zone>, ObjectID<Room>, isAdded: Bool)
    case serviceInGroup(ObjectID<Home>, ObjectID<ServiceGroup>, ObjectID<HomeService>, isAdded: Bool)
    case actions(ObjectID<Home>, ObjectID<HomeScene>)
    case trigger(ObjectID<Home>, ObjectID<Automation>)
    case reachability(ObjectID<Home>, ObjectID<HomeAccessory>)
    case value(HomeKitCore.CharacteristicLocation)

    /// Whether the change removes an object or a membership.
    var isRemoval: Bool {
        switch self {
        case .homeRemoved, .removed, .roomInZone(_, _, _, isAdded: false), .serviceInGroup(_, _, _, isAdded: false):
            true
        default: false
        }
    }
}

extension ObjectChange {
    /// Returns the differences between two states of the homes.
    static func all(from before: Homes, to after: Homes) -> [ObjectChange] {
        var changes: [ObjectChange] = []
        for home in after.homes {
            guard let old = before.home(home.id) else {
                changes.append(.homeAdded(home.id))
                continue
            }
            if old != home { changes += all(from: old, to: home) }
        }
        changes += before.homes.filter { after.home($0.id) == nil }.map { .homeRemoved($0.id) }
        if before.primary != after.primary { changes.append(.primaryHome) }
        return changes
    }

    private static func all(from old: Home, to new: Home) -> [ObjectChange] {
        let home = new.id
        var changes: [ObjectChange] = old.name == new.name ? [] : [.homeName(home)]
        changes += parts(old.rooms, new.rooms, of: home, \.id, \.name) { .room($0) }
        changes += parts(old.zones, new.zones, of: home, \.id, \.name) {
            .zone($0)
        } changes: { old, new in
            members(old.rooms, new.rooms) { .roomInZone(home, new.id, $0, isAdded: $1) }
        }
        changes += accessories(from: old, to: new)
        changes += parts(old.serviceGroups, new.serviceGroups, of: home, \.id, \.name) {
            .group($0)
        } changes: { old, new in
            members(old.services, new.services) { .serviceInGroup(home, new.id, $0, isAdded: $1) }
        }
        changes += parts(old.scenes, new.scenes, of: home, \.id, \.name) {
            .scene($0)
        } changes: { old, new in
            old.actions == new.actions ? [] : [.actions(home, new.id)]
        }
        changes += parts(old.automations, new.automations, of: home, \.id, \.name) {
            .trigger($0)
        } changes: { old, new in
            old.rule == new.rule ? [] : [.trigger(home, new.id)]
        }
        changes += parts(old.users, new.users, of: home, \.id, \.name) { .user($0) }
        if old.users.map(\.access) != new.users.map(\.access) { changes.append(.accessControl(home)) }
        return changes
    }

    private static func accessories(from old: Home, to new: Home) -> [ObjectChange] {
        let home = new.id
        let bridges = Set((old.accessories + new.accessories).compactMap(\.bridge))
        let changes = parts(old.accessories, new.accessories, of: home, \.id, \.name) {
            .accessory($0)
        } changes: {
            old,
            new in
            var changes: [ObjectChange] = old.room == new.room ? [] : [.moved(home, new.id)]
            let isSame = old.services.elementsEqual(new.services) {
                $0.id == $1.id && $0.iid == $1.iid && $0.characteristics == $1.characteristics
            }
            if !isSame { changes.append(.services(home, new.id)) }
            let known = Dictionary(old.services.map { ($0.id, $0) }) { first, _ in first }
            for service in new.services {
                guard let before = known[service.id] else { continue }
                if before.name != service.name { changes.append(.serviceName(home, new.id, service.id)) }
                if before.associatedType != service.associatedType {
                    changes.append(.associatedType(home, new.id, service.id))
                }
            }
            return changes
        }
        // For a new bridge, only the accessories behind it are reported.
        return changes.filter { change in
            if case .added(_, .accessory(let id)) = change { !bridges.contains(id) } else { true }
        }
    }

    private static func parts<Model, Name: Equatable>(
        _ old: [Model],
        _ new: [Model],
        of home: ObjectID<Home>,
        _ id: KeyPath<Model, ObjectID<Model>>,
        _ name: KeyPath<Model, Name>,
        _ part: (ObjectID<Model>) -> Object,
        changes more: (Model, Model) -> [ObjectChange] = { _, _ in [] }
    ) -> [ObjectChange] {
        let known = Dictionary(old.map { ($0[keyPath: id], $0) }) { first, _ in first }
        let remaining = Set(new.map { $0[keyPath: id] })
        var changes: [ObjectChange] = []
        for object in new {
            let part = part(object[keyPath: id])
            guard let before = known[object[keyPath: id]] else {
                changes.append(.added(home, part))
                continue
            }
            if before[keyPath: name] != object[keyPath: name] { changes.append(.renamed(home, part)) }
            changes += more(before, object)
        }
        return changes
            + old.filter { !remaining.contains($0[keyPath: id]) }.map { .removed(home, part($0[keyPath: id])) }
    }

    private static func members<ID: Hashable>(
        _ old: [ID],
        _ new: [ID],
        _ change: (ID, Bool) -> ObjectChange
    ) -> [ObjectChange] {
        new.filter { !old.contains($0) }.map { change($0, true) }
            + old.filter { !new.contains($0) }.map { change($0, false) }
    }
}
