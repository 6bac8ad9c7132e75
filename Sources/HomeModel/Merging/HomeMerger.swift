internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Brings what a file says of one home into it.
///
/// The steps change the home without a look at the rules that are between things, since a file may exchange two names;
/// the caller holds the outcome against ``HomeRules``.
struct HomeMerger {
    let document: HomeDescription
    let known: KnownAccessories
    let isWhole: Bool

    /// Merges the file into a home; returns what that took from things of which the file does not speak.
    func merge(into home: inout Home, _ findings: inout MergeFindings) -> [HomeChange] {
        findings.home = home.name
        findings.note(document.name.location)
        guard isWithinLimits(&findings) else { return [] }
        mergePlace(into: &home, &findings)
        let automations = home.automations.idsByName
        var accessories = MergedAccessories(document.accessories, in: home, known, &findings)
        var consequences: [Consequence] = []
        if isWhole {
            consequences += home.removeRest(beside: document, keeping: accessories.ids)
        }
        home.mergeRooms(document.rooms, &findings)
        home.mergeZones(document.zones, &findings)
        home.mergeUsers(document.users, &findings)
        var services = NewServices()
        consequences += accessories.merge(into: &home, &services, &findings)
        accessories.placeBehindBridges(in: &home, isWhole: isWhole, &findings)
        var settings = ServiceSettings(rooms: ObjectNames(home.rooms), isWhole: isWhole)
        settings.apply(to: &home, &accessories, &findings)
        services.nameRest(in: &home, besides: settings.named, document.groups.map(\.name.value))
        var resolver = IDResolver(home, accessories, findings)
        home.mergeGroups(document.groups, &resolver)
        home.mergeScenes(document.scenes, &resolver)
        resolver.scenes = ObjectNames(home.scenes)
        home.mergeAutomations(document.automations, numbers: automations, &resolver)
        findings = resolver.findings
        return HomeChange.told(
            consequences,
            in: home,
            beside: document,
            isWhole: isWhole,
            isShown: resolver.directory.isShown
        )
    }

    private func isWithinLimits(_ findings: inout MergeFindings) -> Bool {
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
            findings.report(document.name.location, .tooMany(kind, limit: limit, at: findings.place()))
        }
        return exceeded.isEmpty
    }

    private func mergePlace(into home: inout Home, _ findings: inout MergeFindings) {
        if isWhole || document.place != nil {
            home.place = document.place
        }
        if let timeZone = document.timeZone {
            if Home.canBeTimeZone(timeZone.value) {
                home.timeZone = timeZone.value
            } else {
                findings.report(timeZone.location, .timeZone(timeZone.value, at: findings.place()))
            }
        } else if isWhole {
            home.timeZone = nil
        }
    }
}
