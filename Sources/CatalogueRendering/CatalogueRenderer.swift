/// Renders the whole catalogue: the constants, and the tables by the first letter of the id.
package struct CatalogueRenderer {
    private let input: CatalogueInput

    /// Takes an input that is checked; the patches are applied here.
    package init(_ input: CatalogueInput, patches: [Patch] = Patch.catalogue) throws {
        self.input = try input.applying(patches)
    }

    /// Every file of the output, in the order of their names; the same input gives the same bytes.
    package func files() throws -> [RenderedFile] {
        let characteristicsSource = "characteristics.json"
        let servicesSource = "services.json"
        var files = [
            try TypeRenderer(typeName: "CharacteristicType", source: characteristicsSource)
                .file(input.characteristics.map { ($0.name, $0.id, $0.uuid) }),
            try TypeRenderer(typeName: "ServiceType", source: servicesSource)
                .file(input.services.map { ($0.name, $0.id, $0.uuid) }),
        ]
        let characteristics = try input.characteristics.map {
            (id: $0.id, expression: try CharacteristicRenderer(entry: $0).expression())
        }
        let services = input.services.map { (id: $0.id, expression: ServiceRenderer(entry: $0).expression()) }
        files += Self.characteristicTables.map { letters in
            // The literals of JSONNumber need its module.
            Self.table(
                "characteristics",
                "CharacteristicDefinition",
                letters,
                characteristics,
                characteristicsSource,
                imports: ["HAPCore"]
            )
        }
        files += Self.serviceTables.map { letters in
            Self.table("services", "ServiceDefinition", letters, services, servicesSource)
        }
        try Self.checkLetters(Self.characteristicTables, characteristics.map(\.id))
        try Self.checkLetters(Self.serviceTables, services.map(\.id))
        return files.sorted { $0.name < $1.name }
    }

    /// The first letters of the ids in each table, chosen so that each file can be read.
    private static let characteristicTables: [ClosedRange<Character>] = [
        "A"..."B", "C"..."C", "D"..."K", "L"..."O", "P"..."R", "S"..."S", "T"..."Z",
    ]
    private static let serviceTables: [ClosedRange<Character>] = ["A"..."K", "L"..."Z"]

    private static func table(
        _ noun: String,
        _ type: String,
        _ letters: ClosedRange<Character>,
        _ entries: [(id: String, expression: SwiftExpression)],
        _ source: String,
        imports: [String] = []
    ) -> RenderedFile {
        let isOneLetter = letters.lowerBound == letters.upperBound
        let span = isOneLetter ? "\(letters.lowerBound)" : "\(letters.lowerBound)To\(letters.upperBound)"
        let elements =
            entries
            .filter { entry in entry.id.first.map(letters.contains) ?? false }
            .sorted { $0.id < $1.id }
            .map { "        \($0.expression.rendered(indentation: 8, used: 9)),\n" }
        let body = """
            extension Catalogue {
                /// The \(noun) whose id begins with \(isOneLetter ? "" : "a letter from ")\
            \(letters.lowerBound)\(isOneLetter ? "" : " to \(letters.upperBound)"), by id.
                static let \(noun)\(span): [\(type)] = [
            \(elements.joined())    ]
            }

            """
        return RenderedFile(
            name: "Catalogue+\(noun.prefix(1).uppercased())\(noun.dropFirst())\(span).swift",
            source: source,
            imports: imports,
            body: body
        )
    }

    private static func checkLetters(_ tables: [ClosedRange<Character>], _ ids: [String]) throws {
        for id in ids {
            guard let letter = id.first, tables.contains(where: { $0.contains(letter) }) else {
                throw CatalogueError(.unsupported, "no table takes an id that begins like this", at: id)
            }
        }
    }
}
