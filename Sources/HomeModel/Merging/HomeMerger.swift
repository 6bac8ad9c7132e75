internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Brings what a file says of one home into it.
///
/// It changes the home without a look at the rules that are between things, since a file may exchange two names; whoever
/// runs it holds the outcome against ``HomeRules``.
struct HomeMerger {
    var home: Home
    let document: HomeDescription
    let known: KnownAccessories
    let isWhole: Bool
    var findings = MergeFindings()
    /// For each accessory of the file, which one of the home it is.
    var placed: [ObjectID<HomeAccessory>?] = []
    /// What is known of the accessories of the file, by their place in it.
    var knownAt: [Int: KnownAccessory] = [:]
    /// Where accessories are that are called as one of the file is, and are not where that says; by its place in it.
    var elsewhere: [Int: AccessoryReference] = [:]
    /// The accessories of the file that stand in it before already.
    var repeated: Set<Int> = []
    /// What the accessories of the home announce, as far as it is known.
    var announced: [ObjectID<HomeAccessory>: RemoteAccessory] = [:]
    /// New services whose names nobody has chosen.
    var unnamed: Set<ObjectID<HomeService>> = []
    /// Whether an accessory is missing of whose services nothing is known: then a name that is nobody's may be its.
    var hasUnknownServices = false
    /// The numbers that automations had before anything was changed, by the keys of their names.
    var automationNumbers: [String: ObjectID<Automation>] = [:]
    /// What edits took with them.
    var consequences: [Consequence] = []
    /// What the accessories and services are called, once they are settled.
    var directory = MergeDirectory()
    /// The scene or automation that is resolved.
    var owner = ObjectName.entireHome

    /// The scenes by the keys of their names, once they are settled.
    var scenesByKey: [String: ObjectID<HomeScene>] = [:]

    mutating func run() {
        note(document.name.location, at: [])
        guard isWithinLimits() else { return }
        if isWhole || document.place != nil {
            home.place = document.place
        }
        if let timeZone = document.timeZone {
            if Home.canBeTimeZone(timeZone.value) {
                home.timeZone = timeZone.value
            } else {
                report(timeZone.location, .timeZone(timeZone.value, at: home.name.text))
            }
        } else if isWhole {
            home.timeZone = nil
        }
        automationNumbers = home.automations.idsByName
        identifyAccessories()
        if isWhole {
            removeTheRest()
        }
        mergeRooms()
        mergeUsers()
        mergeAccessories()
        mergeGroups()
        mergeScenes()
        mergeAutomations()
    }

    // MARK: Reporting

    mutating func report(_ place: SourceLocation?, _ error: HomeError) {
        findings.errors.append(error, at: place)
    }

    mutating func report(_ place: SourceLocation?, _ code: HomeError.Code, _ reason: String, remedy: String) {
        report(place, HomeError(code, at: home.name.text, reason, remedy: remedy))
    }

    /// Notes what needs something that is missing.
    mutating func wait(_ place: SourceLocation?, _ error: HomeError) {
        findings.pending.append(error, at: place)
    }

    /// Remembers where the file speaks of something.
    mutating func note(_ place: SourceLocation?, at names: [ObjectName]) {
        guard let place else { return }
        let key = ([home.name] + names).map(\.text).joined(separator: "/")
        if findings.places[key] == nil { findings.places[key] = place }
    }

    func place(_ names: ObjectName...) -> String {
        ([home.name] + names).map(\.text).joined(separator: "/")
    }

    /// Whether the name is the first of its kind in the file.
    mutating func isFirst(_ name: Located<ObjectName>, _ kind: String, among keys: inout Set<String>) -> Bool {
        guard keys.insert(name.value.key).inserted else {
            report(name.location, .duplicateName(name.value, "another \(kind)", at: place(name.value)))
            return false
        }
        note(name.location, at: [name.value])
        return true
    }

    /// Renames the thing with a name to what the file has, or adds it, and changes it.
    mutating func put<Thing: HomeObject>(
        _ name: ObjectName,
        into things: WritableKeyPath<Home, [Thing]>,
        new: (ObjectID<Thing>, ObjectName) -> Thing,
        change: (inout Thing) -> Void = { _ in }
    ) {
        var index = home[keyPath: things].count
        if let known = home[keyPath: things].firstIndex(where: { $0.name.key == name.key }) {
            index = known
        } else {
            let thing = new(ObjectID(number()), name)
            home[keyPath: things].append(thing)
        }
        home[keyPath: things][index].name = name
        change(&home[keyPath: things][index])
    }

    /// The number for something new; 0, against the rules, when there is none left.
    mutating func number() -> UInt64 {
        (try? home.takeNumber()) ?? 0
    }

    /// Returns what is wrong with an unknown name, with one that is near.
    mutating func unknown(_ kind: String, _ text: String, among names: some Sequence<String>) -> HomeError {
        .unknown(kind, named: text, at: home.name.text, among: names, &findings.spelling)
    }

    private mutating func isWithinLimits() -> Bool {
        let counts: [(String, Int, Int)] = [
            ("rooms", document.rooms.count, HomeLimits.rooms),
            ("zones", document.zones.count, HomeLimits.zones),
            ("accessories", document.accessories.count, HomeLimits.accessories),
            ("services", document.accessories.map(\.services.count).reduce(0, +), HomeLimits.services),
            ("service groups", document.groups.count, HomeLimits.serviceGroups),
            ("scenes", document.scenes.count, HomeLimits.scenes),
            ("automations", document.automations.count, HomeLimits.automations),
            ("users", document.users.count, HomeLimits.users),
        ]
        let exceeded = counts.filter { $1 > $2 }
        for (kind, _, limit) in exceeded {
            report(document.name.location, .tooMany(kind, limit: limit, at: home.name.text))
        }
        return exceeded.isEmpty
    }
}
