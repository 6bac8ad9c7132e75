import Documents
import Foundation
import TestSupport
import Testing
import YAMLDocuments

@testable import hap

/// The schema of what commands print with `--json`.
@Suite struct JSONSchemaTests {
    /// Returns the members of a map, with some replaced or added.
    private static func merged(_ tree: DocumentTree?, _ members: [String: DocumentTree]) -> DocumentTree {
        var all = Dictionary((tree?.members ?? []).map { ($0.key, $0.value) }) { first, _ in first }
        all.merge(members) { _, new in new }
        return .map(all.sorted { $0.key < $1.key }.map { DocumentTree.Member($0.key, $0.value) })
    }

    /// `HAP_WRITE_FIXTURES=1 swift test --filter JSONSchemaTests` writes the definitions.
    @Test func definitionsAreThoseOfTheResources() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/json.schema.json")
        let bytes = [UInt8](try Data(contentsOf: file))
        var diagnostics = DiagnosticCollector()
        let read = try #require(TextDocument.read(bytes, in: "json.schema.json", firstKey: "", &diagnostics))
        let root = DocumentTree(read.root.node, in: .json)
        let commands = JSONOutput.schemas.flatMap { commands, schema in
            commands.map { ($0, schema.tree.members.first?.value ?? .null) }
        }
        let definitions = JSONOutput.schemas.map(\.schema.definitions)
            .reduce(into: [:]) { $0.merge($1) { old, _ in old } }
        let expected = root.members.map { member -> DocumentTree.Member in
            switch member.key {
            case "commands":
                // A command that is gone has no entry any more.
                let others = member.value.members.filter { entry in !commands.contains { $0.1 == entry.value } }
                return DocumentTree.Member(member.key, Self.merged(.map(others), .init(uniqueKeysWithValues: commands)))
            case "$defs": return DocumentTree.Member(member.key, Self.merged(member.value, definitions))
            default: return member
            }
        }
        let text = JSONEmitter.text(expected)
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
