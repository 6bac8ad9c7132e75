/// The keys of a home file.
enum HomeKey: String, CaseIterable {
    case schema = "$schema"
    case home, homes, primary, place, timeZone, rooms, zones, accessories, groups, scenes, automations, users

    /// Those of a home in a list of several.
    static let several: [HomeKey] = allCases.filter { $0 != .schema && $0 != .homes }
    /// Those of a file with one home.
    static let alone: [HomeKey] = allCases.filter { $0 != .homes }
    /// Those of a file with several.
    static let listing: [HomeKey] = [.schema, .homes]
}

/// The keys of a place on the earth.
enum PlaceKey: String, CaseIterable {
    case latitude, longitude
}

/// The keys of an accessory of a home.
enum PlacementKey: String, CaseIterable {
    case accessory, name, room, bridge, deviceID, aid, category, services
}

/// The keys of a service of an accessory of a home.
enum PlacedServiceKey: String, CaseIterable {
    case name, room, type
    case associatedType = "as"
}

/// The keys of an action.
enum ActionKey: String, CaseIterable {
    case set, to
}

/// The keys of what an automation does: an action, or a scene.
enum TargetKey: String, CaseIterable {
    case scene, set, to
}

/// The keys of a scene with a kind.
enum SceneKey: String, CaseIterable {
    case kind, actions
}

/// The keys of an automation.
enum AutomationKey: String, CaseIterable {
    case when, run, end, enabled
    case condition = "if"
}

/// What a characteristic is held to.
enum TestKey: String {
    case becomes, `is`, changes, above, below, within
}

/// The keys of something that may hold a characteristic to something.
protocol CharacteristicTestKey: RawRepresentable<String> {
    /// The one for which characteristic.
    static var characteristic: Self { get }
    /// Those for what it is held to: each a ``TestKey``.
    static var tests: [Self] { get }
}

/// The keys of what an automation waits for.
enum TriggerKey: String, CaseIterable, CharacteristicTestKey {
    case characteristic, becomes, changes, above, below, within
    case time, date, sun, on, every, presence, arrives, leaves, interval, from

    /// Those of which exactly one says what kind of trigger it is.
    static let kinds: [TriggerKey] = [.characteristic, .time, .date, .sun, .presence, .arrives, .leaves, .interval]
    /// Those that hold a characteristic to something.
    static let tests: [TriggerKey] = [.becomes, .changes, .above, .below, .within]
}

/// The keys of a condition.
enum ConditionKey: String, CaseIterable, CharacteristicTestKey {
    case characteristic, `is`, above, below, within, after, before, days, presence, home, all, any, not

    /// Those that hold a characteristic to something.
    static let tests: [ConditionKey] = [.is, .above, .below, .within]
}

/// The keys of an automation's end.
enum EndKey: String, CaseIterable {
    case after, when, set, restore
}

/// The keys of a user.
enum UserKey: String, CaseIterable {
    case role, remote
}
