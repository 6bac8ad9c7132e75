internal import AccessoryModel

/// The differences between two states of a home.
struct HomeDiff {
    private let before: Home
    private let after: Home
    /// The objects of ``after``.
    private let index: HomeIndex
    private(set) var changes: [HomeChange] = []

    init(from before: Home, to after: Home) {
        self.before = before
        self.after = after
        index = HomeIndex(after)
        compareHome()
        compare(before.rooms, after.rooms, "room") { _, _ in [] }
        compare(before.zones, after.zones, "zone") { [index] old, new in
            [old.rooms == new.rooms ? nil : "has \(Self.list(new.rooms.compactMap { index.room($0)?.name }))"]
        }
        compare(before.accessories, after.accessories, "accessory") { [index] in
            Self.differences(from: $0, to: $1, in: index)
        }
        compareServices()
        compare(before.serviceGroups, after.serviceGroups, "group") { [index] old, new in
            [
                old.services == new.services
                    ? nil : "has \(Self.list(new.services.compactMap { index.service($0)?.name }))"
            ]
        }
        compare(before.scenes, after.scenes, "scene") { old, new in
            let count = new.actions.count
            return [
                old.kind == new.kind ? nil : "is now of the kind \(new.kind.rawValue)",
                old.actions == new.actions ? nil : "now has \(count == 1 ? "one action" : "\(count) actions")",
            ]
        }
        compare(before.automations, after.automations, "automation") { [index] in
            Self.differences(from: $0, to: $1, in: index)
        }
        compare(before.users, after.users, "user") { old, new in
            [
                old.role == new.role ? nil : "is now \(new.role.rawValue)",
                old.isRemote == new.isRemote
                    ? nil : "\(new.isRemote ? "may now" : "may no longer") access the home remotely",
            ]
        }
    }

    private static func differences(from old: Automation, to new: Automation, in home: HomeIndex) -> [String?] {
        let condition = new.condition.map { "now runs only if \(home.text(of: $0))" } ?? "no longer has a condition"
        let end = new.end.map { "now ends \(home.text(of: $0))" } ?? "no longer ends automatically"
        return [
            old.triggers == new.triggers ? nil : "now runs \(home.text(of: new.triggers))",
            old.condition == new.condition ? nil : condition,
            old.targets == new.targets ? nil : "now does: \(home.text(of: new.targets))",
            old.end == new.end ? nil : end,
            old.executesOnce == new.executesOnce ? nil : "now runs \(new.executesOnce ? "only once" : "every time")",
            old.isEnabled == new.isEnabled ? nil : "is \(new.isEnabled ? "enabled" : "disabled")",
        ]
    }

    private static func differences(from old: HomeAccessory, to new: HomeAccessory, in home: HomeIndex) -> [String?] {
        let isFound = !old.wasDiscovered && new.wasDiscovered
        let place = new.reference.map { "is now at \($0)" } ?? "is no longer on the network"
        let bridge =
            new.bridge.flatMap { home.accessory($0)?.name }.map { "is now behind \($0)" }
            ?? "is no longer behind a bridge"
        let hasSameServices = old.services.elementsEqual(new.services) { $0.iid == $1.iid && $0.type == $1.type }
        let isSame = isFound || hasSameServices && old.category == new.category
        return [
            isFound ? "is found" : old.reference == new.reference ? nil : place,
            old.room == new.room ? nil : "is now in \(home.room(new.room)?.name.text ?? "")",
            old.bridge == new.bridge ? nil : bridge,
            old.alias == new.alias ? nil : "is now called \(ObjectName.quoted(new.alias ?? new.name.text)) in files",
            isSame ? nil : "has changed",
        ]
    }

    private mutating func add(_ kind: HomeChange.Kind, _ text: String) {
        changes.append(HomeChange(kind, in: after.name, text))
    }

    private mutating func compareHome() {
        if before.name != after.name {
            add(.change, "The home \(before.name) is now called \(after.name).")
        }
        if before.place != after.place {
            let place = after.place.map { "is now at \($0.latitude), \($0.longitude)" } ?? "no longer has a place"
            add(.change, "The home \(place).")
        }
        if before.timeZone != after.timeZone {
            add(.change, "The home's time zone is now \(after.timeZone ?? "the machine's").")
        }
    }

    private mutating func compareServices() {
        var stored = after
        // Services that were added or removed with their accessories are not reported separately.
        let accessories = Set(before.accessories.map(\.id)).intersection(after.accessories.map(\.id))
        stored.accessories.removeAll { !accessories.contains($0.id) }
        var left = before
        left.accessories.removeAll { !accessories.contains($0.id) }
        compare(
            left.accessories.flatMap(\.services).filter(\.isVisible),
            stored.accessories.flatMap(\.services).filter(\.isVisible),
            "service"
        ) { [index] old, new in
            let place = index.room(of: new.id).flatMap { index.room($0) }?.name.text ?? ""
            return [
                old.room == new.room ? nil : "is now in \(place)",
                old.associatedType == new.associatedType ? nil : "counts as \(new.effectiveType.nameOrUUID)",
                old.characteristics == new.characteristics ? nil : "has different characteristics",
            ]
        }
    }

    private mutating func compare<Thing: HomeObject & Equatable>(
        _ before: [Thing],
        _ after: [Thing],
        _ kind: String,
        _ differences: (Thing, Thing) -> [String?]
    ) {
        let old = before.byID
        let stored = Set(after.map(\.id))
        for thing in after {
            guard let was = old[thing.id] else {
                add(.addition, "The \(kind) \(thing.name) is new.")
                continue
            }
            if was == thing { continue }
            if was.name != thing.name {
                add(.change, "The \(kind) \(was.name) is now called \(thing.name).")
            }
            for difference in differences(was, thing).compactMap(\.self) {
                add(.change, "The \(kind) \(thing.name) \(difference).")
            }
        }
        for thing in before where !stored.contains(thing.id) {
            add(.removal, "The \(kind) \(thing.name) is removed.")
        }
    }

    private static func list(_ names: [ObjectName]) -> String {
        names.isEmpty ? "nothing" : names.map(\.text).joined(separator: ", ")
    }
}
