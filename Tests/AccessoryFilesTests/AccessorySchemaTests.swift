import AccessoryFiles
import AccessoryModel
import Documents
import Foundation
import HAPCore
import Simulation
import TestSupport
import Testing

@Suite
struct AccessorySchemaTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Accessories/accessory.schema.json")

    /// Run `HAP_WRITE_FIXTURES=1 swift test --filter AccessorySchemaTests` to update the file.
    @Test
    func schemaInTheRepositoryMatchesTheCatalog() throws {
        let schema = AccessorySchema.json()
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(schema).write(to: Self.file)
        }
        #expect([UInt8](try Data(contentsOf: Self.file)) == schema, "run with HAP_WRITE_FIXTURES=1 to update it")
        #expect(AccessorySchema.json() == schema)
    }

    /// Unusual responses to `GET /accessories`, each with the name of its verbatim file in the folder `Pictures`.
    private static let dumps: [(name: String, bytes: [UInt8])] = [
        ("odd", Dumps.odd),
        (
            "beyond",
            Array(
                """
                [{"aid": 1, "services": [
                  {"iid": 1, "type": "3E", "characteristics": [
                    {"iid": 2, "type": "23", "perms": ["pr"], "format": "string", "maxLen": 1000, "value": "\(long)"}]},
                  {"iid": 3, "type": "43", "primary": true, "characteristics": [
                    {"iid": 4, "type": "23", "perms": ["pr"], "format": "string", "value": "\(long)"},
                    {"iid": 5, "type": "8", "perms": ["pr"], "format": "int", "minStep": 0, "value": 300}]},
                  {"iid": 6, "type": "43", "primary": true, "characteristics": [
                    {"iid": 7, "type": "23", "perms": ["pr"], "format": "string", "value": "Other \(long)"},
                    {"iid": 8, "type": "25", "perms": ["pr"], "format": "bool", "value": true}]}]}]
                """
                .utf8
            )
        ),
    ]

    private static let long = String(repeating: "long ", count: 60) + "name"

    /// `schema.py` checks the files in the repository against the schema.
    ///
    /// Run with `HAP_WRITE_FIXTURES=1` to update them.
    @Test(arguments: dumps.indices)
    func verbatimFilesInTheRepositoryMatchTheDumps(number: Int) throws {
        let (name, dump) = Self.dumps[number]
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pictures/\(name).yaml")
        var document = try AccessoryFile.read(dump, name: "\(name).json").document
        if name == "beyond", var second = document.accessories[0].services[2].characteristics.last {
            // A dump has each type once in a service, but a verbatim definition can have it twice.
            second.iid = InstanceID(9)
            second.value = nil
            second.permissions = .write
            document.accessories[0].services[2].characteristics.append(second)
        }
        let picture = try AccessoryFile.write(document, as: .yaml, name: "\(name).yaml").bytes
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(picture).write(to: file)
        }
        #expect([UInt8](try Data(contentsOf: file)) == picture, "run with HAP_WRITE_FIXTURES=1 to update it")
        let again = try AccessoryFile.read(picture, name: "\(name).yaml").document
        #expect(again.accessories.map(\.services.count) == document.accessories.map(\.services.count))
        #expect(again.isVerbatim)
    }

    @Test
    func schemaLimitsEachParameterToItsMaximumDuration() throws {
        let limits = JSONLimits(maximumDepth: 32, maximumValues: 1_000_000)
        let definitions = try #require(try JSONValue(parsing: AccessorySchema.json(), limits: limits)["$defs"])
        for model in SimulationCatalog.models {
            let properties = definitions["simulate"]?["then"]?["properties"]?[model.name]?["properties"]
            for parameter in model.parameters {
                guard case .duration(let range) = parameter.kind else { continue }
                let written = properties?[parameter.name]
                let schema = written?["pattern"] == nil ? definitions["duration"] : written
                let pattern = try Regex(#require(schema?["pattern"]?.string))
                let seconds = Int(range.upperBound / .seconds(1))
                for text in ["\(seconds)s", "\(seconds / 3_600)h", "\(seconds / 86_400)d", "0.5s", "0\(seconds).0s"] {
                    #expect(text.wholeMatch(of: pattern) != nil, "\(text) for \(parameter.name) of \(model.name)")
                }
                let beyond = [
                    "\(seconds + 1)s", "\(seconds).1s", "\(seconds / 3_600 + 1)h", "\(seconds / 86_400 + 1)d",
                    "\(seconds)001ms", "1", "s",
                ]
                for text in beyond {
                    #expect(text.wholeMatch(of: pattern) == nil, "\(text) for \(parameter.name) of \(model.name)")
                }
            }
        }
    }

    @Test
    func schemaContainsEveryTypeAndModel() throws {
        let limits = JSONLimits(maximumDepth: 32, maximumValues: 1_000_000)
        let schema = try JSONValue(parsing: AccessorySchema.json(), limits: limits)
        let definitions = try #require(schema["$defs"])
        for definition in Catalog.characteristics {
            #expect(definitions["characteristics"]?["properties"]?[definition.id] != nil)
            #expect(definitions["characteristic.\(definition.id)"] != nil)
        }
        for model in SimulationCatalog.models {
            let properties = definitions["simulate"]?["then"]?["properties"]?[model.name]?["properties"]
            for parameter in model.parameters {
                #expect(properties?[parameter.name]?["description"] != nil)
            }
        }
    }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }
}
