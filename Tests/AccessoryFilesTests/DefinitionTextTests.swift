import AccessoryFiles
import Documents
import HAPCore
import Testing

/// Definitions that are edited as values and written again.
struct DefinitionTextTests {
    private func text(_ text: String, name: String = "lamp.yaml") -> DefinitionText {
        DefinitionText(Array(text.utf8), name: name)
    }

    @Test(arguments: [
        ("accessory: Lamp # mine\n", true), ("# mine\naccessory: Lamp\n", true),
        ("accessory: Lamp\n  # mine\n", true), ("accessory: Bob's lamp # mine\n", true),
        ("accessory: \"Lamp #1\"\n", false), ("accessory: 'Lamp #1'\n", false), ("accessory: Lamp#1\n", false),
        ("accessory: 'It''s #1' # mine\n", true), ("accessory: \"A \\\" #1\"\n", false), ("accessory: Lamp\n", false),
        ("# yaml-language-server: $schema=accessory.schema.json\naccessory: Lamp\n", false),
        ("# yaml-language-server: $schema=accessory.schema.json\naccessory: Lamp # mine\n", true),
        ("{\"accessory\": \"Lamp #1\"}", false), ("accessory: [\n", false),
    ])
    func commentsAreFound(source: String, hasComments: Bool) {
        #expect(text(source).hasComments == hasComments, "\(source)")
    }

    @Test func contentIsWrittenAsItWasRead() throws {
        let source = """
            accessory: Lamp
            firmware: 1.0.0
            services:
              - type: Lightbulb
                simulate:
                  dimmableLight:
                    fade: 2s
                characteristics:
                  Brightness:
                    range: 10...90
                    value: 50
                  On: true
              - type: Switch
                name: "on"
                hidden: false

            """
        let content = try #require(text(source).content)
        #expect(String(decoding: DefinitionText(content, name: "lamp.yaml").bytes, as: UTF8.self) == source)
        // The JSON of the values has the same content.
        let json = DefinitionText(content, name: "lamp.json")
        let again = try #require(DefinitionText(json.bytes, name: "lamp.json").content)
        #expect(String(decoding: DefinitionText(again, name: "lamp.yaml").bytes, as: UTF8.self) == source)
    }

    @Test func schemaIsReadAndWritten() throws {
        let source = "# yaml-language-server: $schema=../a.json\naccessory: Lamp\n"
        let read = text(source)
        #expect(read.schema == "../a.json")
        let content = try #require(read.content)
        let written = DefinitionText(content, name: "lamp.yaml", schema: read.schema)
        #expect(String(decoding: written.bytes, as: UTF8.self) == source)
        let json = DefinitionText(content, name: "lamp.json", schema: read.schema)
        #expect(json.content?.members.isEmpty == false)
        #expect(DefinitionText(json.bytes, name: "lamp.json").schema == "../a.json")
    }

    @Test func invalidSyntaxHasNoContent() {
        #expect(text("accessory: [").content == nil)
        #expect(text("{", name: "lamp.json").content == nil)
    }
}
