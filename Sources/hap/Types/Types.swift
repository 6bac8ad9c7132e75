import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Glibc
import HAPCore

/// `hap types`: the catalog as a reference.
struct Types: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Look up services and characteristics.",
        discussion: """
            Without a query, lists all that Apple has defined. A query is a name in any case, a part of one, or a UUID, short \
            or long; what is meant by it alone is shown in full. The first column is what definitions call it.

            EXAMPLE
              hap types lightbulb
              hap types door
              hap types 7E --json
              hap types --schema > accessory.schema.json
            """
    )

    @Argument(help: ArgumentHelp("What to look for.", valueName: "query"))
    var query: [String] = []

    @Flag(help: "Print everything about them as JSON.")
    var json = false

    @Flag(help: "Print the JSON Schema of definitions, for editors.")
    var schema = false

    func run() throws {
        if schema {
            guard query.isEmpty, !json else {
                throw CommandFailure.usage("The schema is of all types, and JSON already; take --schema alone.")
            }
            try FileDescriptorWriter.write(AccessorySchema.json(), to: STDOUT_FILENO)
            return
        }
        let selection = try TypeSelection(query.joined(separator: " "))
        try Output.write(json ? selection.json : selection.text)
    }
}

/// The types of the catalog that somebody asks for.
struct TypeSelection: Sendable {
    let services: [ServiceDefinition]
    let characteristics: [CharacteristicDefinition]
    /// Whether they are so few that everything about them is shown.
    let isDetailed: Bool

    /// Finds what is called or numbered so, else what has it in its name; an empty query finds all.
    ///
    /// - Throws: ``CommandFailure`` with what comes near when nothing is found.
    init(_ query: String) throws(CommandFailure) {
        let text = Self.searchKey(query)
        guard !text.isEmpty else {
            services = Catalog.services
            characteristics = Catalog.characteristics
            isDetailed = false
            return
        }
        guard text.utf8.count <= Self.maximumQueryLength else {
            throw CommandFailure.usage("No type has a name so long; 'hap types' lists all.")
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
                + (near.isEmpty ? "" : "did you mean \(near.joined(separator: ", "))? ") + "'hap types' lists all."
        )
    }

    private static let maximumQueryLength = 256

    /// A name without what does not count in it.
    fileprivate static func searchKey(_ name: String) -> String {
        name.lowercased().filter { ![" ", "-", "_", "."].contains($0) }
    }
}

extension ServiceDefinition {
    /// Everything that it is called.
    fileprivate var names: [String] {
        ([id, name] + aliases).map(TypeSelection.searchKey)
    }
}

extension CharacteristicDefinition {
    /// Everything that it is called.
    fileprivate var names: [String] {
        ([id, name] + aliases).map(TypeSelection.searchKey)
    }
}

extension CharacteristicDefinition {
    /// The services that always have it.
    var requiredBy: [ServiceDefinition] {
        Catalog.services.filter { $0.required.contains(type) }
    }

    /// The services that may have it.
    var optionalIn: [ServiceDefinition] {
        Catalog.services.filter { $0.optional.contains(type) }
    }
}

extension AdminOnlyAccess {
    /// The words for it in definitions.
    var names: [String] {
        [(AdminOnlyAccess.read, "read"), (.write, "write"), (.notify, "notify")].filter { contains($0.0) }.map(\.1)
    }
}
