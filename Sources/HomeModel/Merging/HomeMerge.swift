internal import AccessoryModel
package import Documents
internal import HAPCore

/// What a home file makes of homes.
///
/// What the file names comes to be as the file has it, and what it does not name stays. In what it names it is whole: the
/// rooms of a zone, the services of a group, the actions of a scene and everything of an automation are those of the
/// file. A merge that takes the file for the ``Extent/complete`` removes what it does not name, too, from the homes that it
/// names.
///
/// With an error, nothing has changed; without one, all rules hold.
package struct HomeMerge: Sendable, Hashable {
    /// How much of a home a file describes.
    package enum Scope: Sendable, Hashable {
        /// What it names; the rest stays.
        case partial
        /// All; the rest goes, but for built-in scenes and for bridged accessories whose bridge stays.
        case complete
    }

    /// The homes with the file in them; those from before when there is an error.
    package private(set) var homes: Homes
    /// What is different then.
    package private(set) var changes: [HomeChange] = []
    /// Accessories that nobody knows.
    ///
    /// They are in the home with their names, and wait to be found.
    package private(set) var missing: [Located<HomeError>] = []
    /// What is not in the homes, since it needs what a missing accessory may have: the same file, merged again once that is
    /// found, brings it.
    package private(set) var pending: [Located<HomeError>] = []
    /// What is wrong, in the order of the file as far as it is known.
    package private(set) var errors: [Located<HomeError>] = []

    /// Merges a document into homes.
    ///
    /// - Parameters:
    ///   - document: What a file says.
    ///   - homes: Homes that obey the rules.
    ///   - known: The accessories that are paired, served or described.
    ///   - extent: Whether what the document does not name goes.
    package init(
        _ document: HomeDocument,
        into homes: Homes,
        known: [KnownAccessory],
        extent: Scope = .partial
    ) {
        self.homes = homes
        var changed = homes
        var names: Set<String> = []
        var primary: ObjectName?
        var reported: [HomeChange] = []
        var diagnostics = MergeDiagnostics()
        let known = KnownAccessories(known)
        for documented in document.homes {
            let name = documented.name.value
            guard names.insert(name.key).inserted else {
                let error = HomeError.duplicateName(name, "another home of the file", at: name.text)
                diagnostics.report(documented.name.location, error)
                continue
            }
            if documented.isPrimary, let primary {
                let error = HomeError.primaryHome("\(primary) is the primary home already.")
                diagnostics.report(documented.name.location, error)
            } else if documented.isPrimary {
                primary = name
            }
            do throws(HomeError) {
                let id: ObjectID<Home>
                if let home = changed.homes.first(where: { $0.name.key == name.key }) {
                    id = home.id
                    try changed.renameHome(id, to: name)
                } else {
                    id = try changed.addHome(named: name)
                }
                guard let index = changed.homes.firstIndex(where: { $0.id == id }) else { continue }
                let merger = HomeMerger(document: documented, known: known, isComplete: extent == .complete)
                reported += merger.merge(into: &changed.homes[index], &diagnostics)
                if documented.isPrimary {
                    try changed.setPrimary(id)
                }
            } catch {
                diagnostics.report(documented.name.location, error)
            }
        }
        if diagnostics.errors.count == 0 {
            for violation in HomeRules.violations(in: changed) {
                diagnostics.report(diagnostics.location(of: violation), violation)
            }
        }
        let start = document.homes.first?.name.location
        guard diagnostics.errors.count == 0 else {
            errors = diagnostics.errors.diagnosticsWithCount("errors", at: start)
            return
        }
        missing = diagnostics.missing.diagnosticsWithCount("missing accessories", at: start)
        pending = diagnostics.pending.diagnosticsWithCount("things that wait", at: start)
        changes = HomeChange.all(from: homes, to: changed) + reported
        self.homes = changed
    }
}
