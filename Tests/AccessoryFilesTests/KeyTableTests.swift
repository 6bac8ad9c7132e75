import Documents
import Foundation
import HAPCore
import Testing

@testable import AccessoryFiles
@testable import Simulation

/// Tests that the tables of keys in the documentation match the formats.
@Suite
struct KeyTableTests {
    private static let tables: [(document: String, name: String, text: String)] =
        keyTables.map { ($0, "keys of \($1)", markdown($2)) } + [
            ("airplay", "features of airplay", features(airPlayFeatures)),
            ("cast", "features of cast", features(castFeatures)),
            ("cast-sender", "features of chromecast", features(DriverDefinition.chromecastFeatures)),
        ]

    private static let keyTables: [(document: String, name: String, schema: Schema)] = [
        ("airplay", "airplay", DriverDefinition.airPlay.format.schema),
        ("cast", "cast", DriverDefinition.cast.format.schema),
        ("cast", "app", CastParameters.app.schema),
        ("cast", "content", CastContent.format.schema),
        ("cast-sender", "chromecast", DriverDefinition.chromecast.format.schema),
        ("definitions", "accessory", DefinedAccessory.format(of: .standalone, isVerbatim: false).schema),
        ("definitions", "include", DefinedAccessory.format(of: .including, isVerbatim: false).schema),
        ("definitions", "service", DefinedService.format(isVerbatim: false).schema),
        ("definitions", "characteristic", AccessorySchema.characteristic(isVerbatim: false)),
        ("drivers", "command", DriverDefinition.command.format.schema),
        ("scenarios", "scenario", Format.scenarioFile { _ in true }.schema),
    ]

    /// Run `HAP_WRITE_FIXTURES=1 swift test --filter KeyTableTests` to update the tables.
    @Test
    func tablesInTheDocumentsMatchTheFormats() throws {
        for table in Self.tables {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../docs/\(table.document).md")
            let text = try String(contentsOf: file, encoding: .utf8)
            let mark = "<!-- \(table.name)"
            let begin = try #require(text.range(of: "\(mark): begin -->\n"))
            let end = try #require(text.range(of: "\(mark): end -->\n", range: begin.upperBound..<text.endIndex))
            let written = table.text
            if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
                let whole = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: written)
                try whole.write(to: file, atomically: true, encoding: .utf8)
            } else {
                #expect(text[begin.upperBound..<end.lowerBound] == written, "run with HAP_WRITE_FIXTURES=1")
            }
        }
    }

    private static let airPlayFeatures =
        DriverDefinition.airPlayEvents + AirPlayAction.features + DriverDefinition.airPlay.faults

    private static let castFeatures =
        DriverDefinition.castEvents + CastAction.features + DriverDefinition.cast.faults

    /// Returns tables of events, actions and faults, without those that have no row.
    private static func features(_ all: [DriverFeature]) -> String {
        DriverFeature.Kind.allCases.filter { kind in all.contains { $0.kind == kind } }
            .map { kind in
                let rows = all.filter { $0.kind == kind }
                    .map { feature in
                        let details =
                            feature.number.map { ["`\($0.name)`"] } ?? (feature.fields ?? []).map { "`\($0)`" }
                        let summary = feature.summary.dropLast()
                        return "| `\(feature.name)` | \(summary) | \(details.joined(separator: ", ")) |\n"
                    }
                return "| \(kind.rawValue.capitalized) | Meaning | With |\n|---|---|---|\n\(rows.joined())"
            }
            .joined(separator: "\n")
    }

    /// Returns a table of the keys of an object: their meaning, values and defaults.
    private static func markdown(_ schema: Schema) -> String {
        let object = schema.object
        let required = object["required"]?.elements.compactMap(\.string) ?? []
        let rows = (object["properties"]?.members ?? []).filter { $0.key != "$schema" }
            .map { member in
                let text = member.value["description"]?.string ?? ""
                let parts = text.split(separator: " Default: ", maxSplits: 1).map(String.init)
                let meaning = parts.first ?? ""
                let standard = parts.count > 1 ? parts[1] : required.contains(member.key) ? "required" : ""
                let values = values(member.value, schema.definitions)
                let cells = ["`\(member.key)`", meaning, values, standard]
                    .map { $0.hasSuffix(".") ? "\($0.dropLast())" : $0 }
                return "| \(cells.joined(separator: " | ")) |\n"
            }
        return "| Key | Meaning | Values | Default |\n|---|---|---|---|\n" + rows.joined()
    }

    private static func values(_ schema: DocumentTree, _ definitions: [String: DocumentTree]) -> String {
        if let reference = schema["$ref"]?.string?.split(separator: "/").last {
            return definitions[String(reference)].map { values($0, definitions) } ?? "below"
        }
        if let word = schema["const"]?.string { return "`\(word)`" }
        if let words = schema["enum"]?.elements.compactMap(\.string) {
            return words.count > 12 ? "a name" : words.map { "`\($0)`" }.joined(separator: ", ")
        }
        if let alternatives = schema["anyOf"] {
            return alternatives.elements.map { values($0, definitions) }.joined(separator: ", or ")
        }
        let types = schema["type"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) } ?? []
        let (least, greatest) = (schema["minimum"]?.number, schema["maximum"]?.number)
        switch types.first {
        case "array":
            let items = schema["items"].map { values($0, definitions) } ?? ""
            return items.hasPrefix("`") && !items.contains("below") ? "a list of \(items)" : "a list"
        case "boolean": return "`true`, `false`"
        case "integer", "number":
            if let least, let greatest { return least == greatest ? "\(least)" : "\(least) to \(greatest)" }
            return schema["exclusiveMinimum"] == nil ? "a number" : "a number above 0"
        case "string" where types.count < 3:
            guard let most = schema["maxLength"]?.number else { return "a text" }
            return "a text of \(schema["minLength"]?.number ?? 0) to \(most) bytes"
        default: return "below"
        }
    }
}

extension Schema {
    /// The schema of the object, or the definition that it refers to.
    fileprivate var object: DocumentTree {
        guard let name = tree["$ref"]?.string?.split(separator: "/").last else { return tree }
        return definitions[String(name)] ?? tree
    }
}

extension DocumentTree {
    fileprivate subscript(key: String) -> DocumentTree? { members.first { $0.key == key }?.value }

    fileprivate var elements: [DocumentTree] {
        if case .list(let elements) = self { elements } else { [] }
    }

    fileprivate var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    fileprivate var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }
}
