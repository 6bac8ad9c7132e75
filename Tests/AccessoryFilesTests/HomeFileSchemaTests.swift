import AccessoryFiles
import Documents
import Foundation
import HomeModel
import Testing

/// The schema in the tree, with which editors check homes.
struct HomeFileSchemaTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Config/home.schema.json")

    @Test
    func schemaInTheRepositoryMatchesTheCode() throws {
        let schema = Format.homeSchema()
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(schema).write(to: Self.file)
        }
        #expect([UInt8](try Data(contentsOf: Self.file)) == schema, "write it anew with HAP_WRITE_FIXTURES=1")
        #expect(Format.homeSchema() == schema)
    }
}
