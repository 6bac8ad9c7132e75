internal import AccessoryModel
internal import Documents
internal import HAPCore

/// A merge of one home from a file into a home.
///
/// The steps do not check the rules between objects, because a file may swap two names. The caller checks the result
/// with ``HomeRules``.
struct HomeMerger {
    let document: HomeDescription
    let known: KnownAccessories
    let isComplete: Bool

    /// Merges the file into a home, and returns the side effects on objects that the file does not contain.
    func merge(into home: inout Home, _ diagnostics: inout MergeDiagnostics) -> [HomeChange] {
        diagnostics.home = home.name
        diagnostics.recordLocation(document.name.location)
        guard isWithinLimits(&diagnostics) else { return [] }
        mergePlace(into: &home, &diagnostics)
        let automations = ObjectNames(home.automations)
        var accessories = MergedAccessories(document.accessories, in: home, known, &diagnostics)
        var consequences: [EditEffect] = []
        if isComplete {
            consequences += home.removeUnlisted(comparedTo: document, keeping: accessories.ids)
        }
        home.mergeRooms(document.rooms, &diagnostics)
        home.mergeZones(document.zones, &diagnostics)
        home.mergeUsers(document.users, &diagnostics)
        var structure = StructureUpdate(of: home)
        consequences += accessories.merge(into: &home, &structure, &diagnostics)
        accessories.assignBridges(in: &home, isComplete: isComplete, &diagnostics)
        var settings = ServiceMerger(rooms: ObjectNames(home.rooms), isComplete: isComplete)
        settings.apply(to: &home, &accessories, &diagnostics)
        structure.nameRemaining(in: &home, besides: settings.namedServices, document.groups.map(\.name.value))
        var resolver = IDResolver(home, accessories, diagnostics)
        home.mergeGroups(document.groups, &resolver)
        home.mergeScenes(document.scenes, &resolver)
        resolver.scenes = ObjectNames(home.scenes)
        home.mergeAutomations(document.automations, known: automations, &resolver)
        diagnostics = resolver.diagnostics
        return HomeChange.changes(
            for: consequences,
            in: home,
            comparedTo: document,
            isComplete: isComplete,
            isVisible: resolver.serviceNames.isVisible
        )
    }

    private func isWithinLimits(_ diagnostics: inout MergeDiagnostics) -> Bool {
        let counts: [(String, Int, Int)] = [
            ("rooms", document.rooms.count, HomeLimits.rooms),
            ("accessories", document.accessories.count, HomeLimits.accessories),
            ("services", document.accessories.map(\.services.count).reduce(0, +), HomeLimits.services),
        ]
        let exceeded = counts.filter { $1 > $2 }
        for (kind, _, limit) in exceeded {
            diagnostics.report(document.name.location, .tooMany(kind, limit: limit, at: diagnostics.path()))
        }
        return exceeded.isEmpty
    }

    private func mergePlace(into home: inout Home, _ diagnostics: inout MergeDiagnostics) {
        if isComplete || document.place != nil {
            home.place = document.place
        }
        if let timeZone = document.timeZone {
            if Home.canBeTimeZone(timeZone.value) {
                home.timeZone = timeZone.value
            } else {
                diagnostics.report(timeZone.location, .timeZone(timeZone.value, at: diagnostics.path()))
            }
        } else if isComplete {
            home.timeZone = nil
        }
    }
}
