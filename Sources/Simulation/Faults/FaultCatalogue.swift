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

    /// What can be put on anything.
    static let everywhere = FaultScope.Kind.allCases
}
