/// Finds what became of the things of a home.
struct HomeComparison {
    private let before: Home
    private let after: Home
    private(set) var changes: [HomeChange] = []

    init(from before: Home, to after: Home) {
        self.before = before
        self.after = after
        compareHome()
        compare(before.rooms, after.rooms, "room", \.id, \.name) { _, _ in nil }
        compare(before.zones, after.zones, "zone", \.id, \.name) { [after] old, new in
            old.rooms == new.rooms ? nil : "has \(Self.list(new.rooms.compactMap { after.room($0)?.name }))"
        }
        compare(before.accessories, after.accessories, "accessory", \.id, \.name) { [after] old, new in
            if old.reference == nil, new.reference != nil { return "is found" }
            if old.room != new.room { return "is now in \(after.room(new.room)?.name.text ?? "")" }
            if old.bridge != new.bridge {
                return new.bridge.flatMap { after.accessory($0)?.name }.map { "is now behind \($0)" }
                    ?? "is behind no bridge any more"
            }
            let services = { (accessory: HomeAccessory) in
                accessory.services.map { [$0.iid.map { "\($0)" }, $0.type.written] }
            }
            return services(old) != services(new) || old.category != new.category ? "has changed" : nil
        }
        compareServices()
        compare(before.serviceGroups, after.serviceGroups, "group", \.id, \.name) { [after] old, new in
            old.services == new.services
                ? nil : "has \(Self.list(new.services.compactMap { after.service($0)?.name }))"
        }
        compare(before.scenes, after.scenes, "scene", \.id, \.name) { old, new in
            old.actions == new.actions && old.kind == new.kind
                ? nil : "sets \(new.actions.count == 1 ? "one thing" : "\(new.actions.count) things")"
        }
        compare(before.automations, after.automations, "automation", \.id, \.name) { old, new in
            var renamed = new
            renamed.name = old.name
            if renamed == old { return nil }
            renamed.isEnabled = old.isEnabled
            return renamed == old ? "is \(new.isEnabled ? "enabled" : "disabled")" : "is another"
        }
        compare(before.users, after.users, "user", \.id, \.name) { old, new in
            if old.role != new.role { return "is now \(new.role.rawValue)" }
            return old.isRemote != new.isRemote ? "is now \(new.isRemote ? "" : "not ")remote" : nil
        }
    }

    private mutating func add(_ kind: HomeChange.Kind, _ text: String) {
        changes.append(HomeChange(kind, in: after.name, text))
    }

    private mutating func compareHome() {
        if before.name != after.name {
            add(.change, "The home \(before.name) is now called \(after.name).")
        }
        if before.place != after.place {
            let place = after.place.map { "is now at \($0.latitude), \($0.longitude)" } ?? "has no place any more"
            add(.change, "The home \(place).")
        }
        if before.timeZone != after.timeZone {
            add(.change, "The home's time zone is now \(after.timeZone ?? "the machine's").")
        }
    }

    private mutating func compareServices() {
        var kept = after
        // Those that came or went with their accessories are told with them.
        let accessories = Set(before.accessories.map(\.id)).intersection(after.accessories.map(\.id))
        kept.accessories.removeAll { !accessories.contains($0.id) }
        var left = before
        left.accessories.removeAll { !accessories.contains($0.id) }
        compare(
            left.accessories.flatMap(\.services).filter(\.isShown),
            kept.accessories.flatMap(\.services).filter(\.isShown),
            "service",
            \.id,
            \.name
        ) { [after] old, new in
            if old.room != new.room {
                return "is now in \(after.room(of: new.id).flatMap(after.room)?.name.text ?? "")"
            }
            if old.associatedType != new.associatedType { return "counts as \(new.effectiveType.written)" }
            return old.characteristics != new.characteristics ? "has other properties" : nil
        }
    }

    private mutating func compare<Thing, ID: Hashable>(
        _ before: [Thing],
        _ after: [Thing],
        _ kind: String,
        _ id: (Thing) -> ID,
        _ name: (Thing) -> ObjectName,
        _ difference: (Thing, Thing) -> String?
    ) {
        let old = Dictionary(before.map { (id($0), $0) }) { first, _ in first }
        let kept = Set(after.map(id))
        for thing in after {
            guard let was = old[id(thing)] else {
                add(.addition, "The \(kind) \(name(thing)) is new.")
                continue
            }
            if name(was) != name(thing) {
                add(.change, "The \(kind) \(name(was)) is now called \(name(thing)).")
            }
            if let difference = difference(was, thing) {
                add(.change, "The \(kind) \(name(thing)) \(difference).")
            }
        }
        for thing in before where !kept.contains(id(thing)) {
            add(.removal, "The \(kind) \(name(thing)) is gone.")
        }
    }

    private static func list(_ names: [ObjectName]) -> String {
        names.isEmpty ? "nothing" : names.map(\.text).joined(separator: ", ")
    }
}
