import AccessoryFiles
import AccessoryModel
import ArgumentParser
import HAPCore
import Hosting
import Resources

/// The command `hap types`, which shows the catalog of services and characteristics.
struct Types: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Look up services and characteristics.",
        discussion: """
            Without a query, lists all types that Apple has defined. A query is a name or a part of one, in upper or \
            lower case, or a UUID, short or long. If only one type matches, all of its details are shown. The first \
            column is the name to use in definitions.

            EXAMPLE
              hap types lightbulb
              hap types door
              hap types 7E --json
              hap types --schema > accessory.schema.json
            """
    )

    @Argument(help: .value("query", "The name or UUID to look for."))
    var query: [String] = []

    @Flag(help: "Print all details as JSON.")
    var json = false

    @Flag(help: "Print the JSON Schema of definitions, for editors.")
    var schema = false

    func run() throws {
        if schema {
            guard query.isEmpty, !json else {
                throw CommandFailure.usage("The schema covers all types and is always JSON; use --schema alone.")
            }
            try FileDescriptorWriter.write(AccessorySchema.json(), to: CommandContext.current.output)
            return
        }
        let selection = try TypeSelection(query.joined(separator: " "))
        try Output.write(selection.text, selection.resource, TypesResource.format, asJSON: json)
    }
}

/// The types of the catalog that match a query.
struct TypeSelection: Sendable {
    let services: [ServiceDefinition]
    let characteristics: [CharacteristicDefinition]
    /// Whether the types match exactly or there is only one, so that all details are shown.
    let isDetailed: Bool

    var resource: TypesResource { TypesResource(services, characteristics) }

    /// Finds the types with this name or UUID, or else those whose name contains the query.
    ///
    /// An empty query finds all types.
    ///
    /// - Throws: ``CommandFailure`` with similar names when nothing is found.
    init(_ query: String) throws {
        let text = Self.searchKey(query)
        guard !text.isEmpty else {
            services = Catalog.services
            characteristics = Catalog.characteristics
            isDetailed = false
            return
        }
        guard text.utf8.count <= Self.maximumQueryLength else {
            throw CommandFailure.usage("The query is too long; 'hap types' lists all names.")
        }
        let uuid = HAPUUID(query)
        let exactServices = Catalog.services.filter { $0.type.uuid == uuid || $0.names.contains(text) }
        let exactCharacteristics = Catalog.characteristics.filter {
            $0.type.uuid == uuid || $0.names.contains(text)
        }
        guard exactServices.isEmpty, exactCharacteristics.isEmpty else {
            services = exactServices
            characteristics = exactCharacteristics
            isDetailed = true
            return
        }
        let everyday = Catalog.services(named: query)
        guard everyday.isEmpty else {
            services = everyday
            characteristics = []
            isDetailed = true
            return
        }
        services = Catalog.services.filter { $0.names.contains { $0.contains(text) } }
        characteristics = Catalog.characteristics.filter { $0.names.contains { $0.contains(text) } }
        isDetailed = services.count + characteristics.count == 1
        guard services.isEmpty, characteristics.isEmpty else { return }
        let all = Set(Catalog.services.map(\.id) + Catalog.characteristics.map(\.id)).sorted()
        let near = SpellingSuggester.suggestions(for: query, among: all, count: 3)
        throw CommandFailure.failed(
            "There is no type \"\(String(query.prefix(100)).printable)\"; "
                + (near.isEmpty ? "" : "did you mean \(near.joined(separator: ", "))? ") + "'hap types' lists all "
                + "names."
        )
    }

    private static let maximumQueryLength = 256

    /// Returns a name in lower case without spaces, hyphens, underscores and periods.
    fileprivate static func searchKey(_ name: String) -> String {
        name.lowercased().filter { ![" ", "-", "_", "."].contains($0) }
    }
}

extension ServiceDefinition {
    /// All names of the service, as search keys.
    fileprivate var names: [String] {
        ([id, name] + aliases).map(TypeSelection.searchKey)
    }
}

extension CharacteristicDefinition {
    /// All names of the characteristic, as search keys.
    fileprivate var names: [String] {
        ([id, name] + aliases).map(TypeSelection.searchKey)
    }
}
