internal import AccessoryModel
package import Documents
internal import HAPCore

/// The result of merging a home file into homes.
///
/// Objects in the file replace those with the same name, and all other objects remain. The file describes its objects
/// completely: the rooms of a zone, the services of a group, the actions of a scene and all parts of an automation.
/// With the scope ``Scope/complete``, a merge also removes all other objects from the homes in the file.
///
/// If there is an error, nothing is changed. Otherwise the homes obey all rules.
package struct HomeMerge: Sendable, Hashable {
    /// The part of a home that a file describes.
    package enum Scope: Sendable, Hashable {
        /// The objects in the file; all others remain.
        case partial
        /// All objects; others are removed, except for built-in scenes and accessories behind a remaining bridge.
        case complete
    }

    /// The homes after the merge, or the unchanged homes if there is an error.
    package private(set) var homes: Homes
    /// The changes that the merge makes.
    package private(set) var changes: [HomeChange] = []
    /// The accessories that are not known.
    ///
    /// The home contains them by name until they are found.
    package private(set) var missing: [Located<HomeError>] = []
    /// The parts of the file that need a service or characteristic of a missing accessory.
    ///
    /// They are left out. Merge the same file again once the accessory is found.
    package private(set) var pending: [Located<HomeError>] = []
    /// The errors, in the order of the file as far as their locations are known.
    package private(set) var errors: [Located<HomeError>] = []

    /// Merges a document into homes.
    ///
    /// - Parameters:
    ///   - document: The content of a file.
    ///   - homes: Homes that obey the rules.
    ///   - known: The accessories that are paired, served or described.
    ///   - extent: Whether objects that the document does not contain are removed.
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
                let error = HomeError(.primaryHome, at: "", "\(primary) is already the primary home.")
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
        pending = diagnostics.pending.diagnosticsWithCount("pending parts", at: start)
        changes = HomeChange.all(from: homes, to: changed) + reported
        self.homes = changed
    }
}
