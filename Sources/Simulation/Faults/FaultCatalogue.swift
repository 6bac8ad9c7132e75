internal import AccessoryModel
internal import HAPCore

/// Every fault and every quirk that files and people may name.
///
/// Readers, schema, help and the tables for people follow from it: a further one is one entry.
package enum FaultCatalogue {
    /// The entries in the order in which people are told of them.
    package static let definitions = requests + events + connections + announcements + quirks

    /// The entry with this name; `nil` when there is none.
    package static func definition(named name: String) -> FaultDefinition? {
        definitions.first { $0.name == name }
    }

    /// The entry with this name.
    ///
    /// - Throws: ``SimulationError`` with the name that is nearest, or with all of them.
    package static func known(_ name: String) throws(SimulationError) -> FaultDefinition {
        if let definition = definition(named: name) { return definition }
        let names = definitions.map(\.name)
        let near = Spelling.nearest(to: name, among: names)
        throw SimulationError(
            .unknownName,
            name.isEmpty
                ? "No fault is named." : "There is no fault \"\(String(name.prefix(100)).withVisibleControls)\".",
            near.map { "Did you mean \"\($0)\"?" } ?? "There are: \(names.joined(separator: ", "))."
        )
    }

    /// What can be put on anything.
    static let everywhere = FaultScope.Kind.allCases
}
