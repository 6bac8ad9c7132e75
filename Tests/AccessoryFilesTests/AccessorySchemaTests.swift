import AccessoryFiles
import AccessoryModel
import Foundation
import HAPCore
import Simulation
import Testing

@Suite
struct AccessorySchemaTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Accessories/accessory.schema.json")

    /// `HAP_WRITE_SCHEMA=1 swift test --filter AccessorySchemaTests` writes it anew.
    @Test
    func theSchemaInTheTreeIsTheOneThatFollowsFromTheCatalogue() throws {
        let schema = AccessorySchema.json()
        if ProcessInfo.processInfo.environment["HAP_WRITE_SCHEMA"] != nil {
            try Data(schema).write(to: Self.file)
        }
        #expect([UInt8](try Data(contentsOf: Self.file)) == schema, "write it anew with HAP_WRITE_SCHEMA=1")
        #expect(AccessorySchema.json() == schema)
    }

    @Test
    func everyTypeAndEveryModelIsInTheSchema() throws {
        let limits = JSONLimits(maximumDepth: 32, maximumValues: 1_000_000)
        let schema = try JSONValue(parsing: AccessorySchema.json(), limits: limits)
        let definitions = try #require(schema["$defs"])
        for definition in Catalogue.characteristics {
            #expect(definitions["characteristics"]?["properties"]?[definition.id] != nil)
            #expect(definitions["characteristic.\(definition.id)"] != nil)
        }
        for model in SimulationCatalogue.models {
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
