internal import AccessoryModel
internal import HAPCore

extension Home {
    /// The room with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func room(named name: String) throws(HomeError) -> Room {
        try find("room", name, in: [.entireHome] + rooms)
    }

    /// The zone with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func zone(named name: String) throws(HomeError) -> Zone {
        try find("zone", name, in: zones)
    }

    /// The accessory with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func accessory(named name: String) throws(HomeError) -> HomeAccessory {
        try find("accessory", name, in: accessories)
    }

    /// The service with a name, among those that people see.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func service(named name: String) throws(HomeError) -> HomeService {
        try find("service", name, in: visibleServices.map(\.service))
    }

    /// The service group with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func serviceGroup(named name: String) throws(HomeError) -> ServiceGroup {
        try find("service group", name, in: serviceGroups)
    }

    /// The scene with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func scene(named name: String) throws(HomeError) -> HomeScene {
        try find("scene", name, in: scenes)
    }

    /// The automation with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func automation(named name: String) throws(HomeError) -> Automation {
        try find("automation", name, in: automations)
    }

    /// The user with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func user(named name: String) throws(HomeError) -> HomeUser {
        try find("user", name, in: users)
    }

    private func find<Thing: HomeObject>(
        _ kind: String,
        _ text: String,
        in things: [Thing]
    ) throws(HomeError) -> Thing {
        try HomeError.find(kind, text, at: name.text, in: things, \.name)
    }
}

extension Homes {
    /// The home with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with names that are near.
    public func home(named name: String) throws(HomeError) -> Home {
        try HomeError.find("home", name, at: "", in: homes, \.name)
    }
}

extension HomeError {
    /// The thing with a name, which one of a kind has at most.
    fileprivate static func find<Thing>(
        _ kind: String,
        _ text: String,
        at place: String,
        in things: [Thing],
        _ name: (Thing) -> ObjectName
    ) throws(HomeError) -> Thing {
        let key = ServiceNameIndex.key(of: text)
        if let found = things.first(where: { name($0).key == key }) { return found }
        var spelling = SpellingSuggester()
        throw unknown(kind, named: text, at: place, among: things.map { name($0).text }, &spelling)
    }

    /// Nothing of a kind has a name; suggests one that is near.
    static func unknown(
        _ kind: String,
        named text: String,
        at place: String,
        among names: some Sequence<String>,
        _ spelling: inout SpellingSuggester
    ) -> HomeError {
        var error = unknown(kind, ObjectName.quoted(text), at: place)
        if let near = spelling.nearest(to: text, among: names) { error.remedy = "Did you mean \(near)?" }
        return error
    }
}
