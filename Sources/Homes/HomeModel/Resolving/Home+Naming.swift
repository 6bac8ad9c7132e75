internal import AccessoryModel
internal import HAPCore

extension Home {
    /// Returns the room with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func room(named name: String) throws(HomeError) -> Room {
        try find(name, in: [.entireHome] + rooms)
    }

    /// Returns the zone with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func zone(named name: String) throws(HomeError) -> Zone {
        try find(name, in: zones)
    }

    /// Returns the accessory with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func accessory(named name: String) throws(HomeError) -> HomeAccessory {
        try find(name, in: accessories)
    }

    /// Returns the visible service with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func service(named name: String) throws(HomeError) -> HomeService {
        try find(name, in: visibleServices.map(\.service))
    }

    /// Returns the service group with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func serviceGroup(named name: String) throws(HomeError) -> ServiceGroup {
        try find(name, in: serviceGroups)
    }

    /// Returns the scene with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func scene(named name: String) throws(HomeError) -> HomeScene {
        try find(name, in: scenes)
    }

    /// Returns the automation with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func automation(named name: String) throws(HomeError) -> Automation {
        try find(name, in: automations)
    }

    /// Returns the user with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func user(named name: String) throws(HomeError) -> HomeUser {
        try find(name, in: users)
    }

    private func find<Object: HomeObject>(_ text: String, in objects: [Object]) throws(HomeError) -> Object {
        try HomeError.find(Object.kindName, text, at: name.text, in: objects, \.name)
    }
}

extension Homes {
    /// Returns the home with a name.
    ///
    /// - Throws: ``HomeError/Code/unknownObject``, with a similar name if there is one.
    public func home(named name: String) throws(HomeError) -> Home {
        try HomeError.find("home", name, at: "", in: homes, \.name)
    }
}

extension HomeError {
    /// Returns the object with a name, which is unique among objects of its kind.
    fileprivate static func find<Thing>(
        _ kind: String,
        _ text: String,
        at place: String,
        in things: [Thing],
        _ name: (Thing) -> ObjectName
    ) throws(HomeError) -> Thing {
        if text.utf8.count <= ServiceNameIndex.maximumLength {
            for form in [text, SpokenName.withoutArticle(text)] {
                let key = ObjectName.key(of: form)
                if let found = things.first(where: { name($0).key == key }) { return found }
            }
            let found = things.filter { name($0).isOtherNumber(of: text) }
            if let only = found.first, found.count == 1 { return only }
            guard found.isEmpty else {
                throw PhraseTargetReader.ambiguous([text], found.map { name($0).text })
            }
        }
        var spelling = SpellingSuggester()
        throw unknown(kind, named: text, at: place, among: things.map { name($0).text }, &spelling)
    }

    /// Returns an error for an unknown name, with a suggestion if a similar name exists.
    static func unknown(
        _ kind: String,
        named text: String,
        at place: String,
        among names: some Collection<String>,
        _ spelling: inout SpellingSuggester
    ) -> HomeError {
        var error = unknown(kind, ObjectName.quoted(text), at: place)
        if let near = spelling.nearest(to: text, among: names) { error.remedy = "Did you mean \(near)?" }
        return error
    }
}
