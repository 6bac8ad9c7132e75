import Foundation
import Testing

@testable import hap

/// The schema of what commands print with `--json`.
@Suite struct JSONSchemaTests {
    /// `HAP_WRITE_FIXTURES=1 swift test --filter JSONSchemaTests` writes the file.
    @Test func fileContainsTheSchemasOfTheResources() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/json.schema.json")
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(JSONOutput.schemaFile).write(to: file)
        }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == String(decoding: JSONOutput.schemaFile, as: UTF8.self))
    }
}
