import AccessoryFiles
import Documents
import Foundation
import HomeModel
import Testing

/// Tests the schema in the repository, which editors use to check home files.
struct HomeFileSchemaTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Config/home.schema.json")

    @Test
    func schemaInTheRepositoryMatchesTheCode() throws {
        let schema = Format.homeSchema()
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(schema).write(to: Self.file)
        }
        #expect([UInt8](try Data(contentsOf: Self.file)) == schema, "run with HAP_WRITE_FIXTURES=1 to update it")
        #expect(Format.homeSchema() == schema)
    }
}
