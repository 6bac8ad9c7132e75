import Documents
import HAPCore
import Testing

/// Tests formats that are declared as tables of fields and cases.
struct FormatTests {
    private struct Lamp: Sendable, Hashable {
        var name = ""
        var watts: UInt64 = 60
        var room: String?
        var tags: [String] = []

        static let format = ObjectFormat(
            Lamp(),
            [
                .required("name", \.name, .text, "The lamp's name.", missing: "the lamp has no name; write one"),
                .defaulted("watts", \.watts, .integer(in: 1...100), "The power in watts."),
                .optional("room", \.room, .text, "The lamp's room."),
                .defaulted("tags", \.tags, .list(of: .text, maximumCount: 3), "The lamp's tags."),
            ]
        )
        .format()
        .orShorthand(.text, make: { Lamp(name: $0) }, take: { $0 == Lamp(name: $0.name) ? $0.name : nil })
    }

    private indirect enum Rule: Sendable, Hashable {
        case at(String, every: String?)
        case not(Rule)
        case all([Rule])

        private static var inner: Format<Rule> { .recursive("rule") { choice.format() } }

        static let choice: Choice<Rule> = Choice(
            [
                .init(
                    .required("at", .text, "When."),
                    .optional("every", .text, "How often."),
                    make: { .at($0, every: $1) },
                    take: { if case .at(let time, let every) = $0 { (time, every) } else { nil } }
                ),
                .init(
                    .required("not", inner, "The opposite."),
                    make: { .not($0) },
                    take: { if case .not(let rule) = $0 { rule } else { nil } }
                ),
            ],
            mismatchMessage: "the rule says nothing",
            combine: { .all($0) }
        )
    }

    private func read<Value>(_ format: Format<Value>, _ json: String) -> (value: Value?, reasons: [String]) {
        var reader = DocumentReader()
        let root = JSONDocumentParser.compose(Array(json.utf8), in: "f", &reader.diagnostics)
        let value = root.flatMap { format.read(DocumentField(file: "f", node: $0), &reader) }
        return (value, reader.diagnostics.ordered.map(\.description))
    }

    @Test(arguments: [
        #"{ "name": "Desk" }"#, #"{ "name": "Desk", "watts": 5, "room": "Office", "tags": ["reading", "night"] }"#,
    ])
    func writtenValueIsReadBack(json: String) throws {
        let lamp = try #require(read(Lamp.format, json).value)
        let written = JSONEmitter.text([.init("lamp", Lamp.format.write(lamp))])
        let again = read(ObjectFormat(lamp, [.required("lamp", \.self, Lamp.format, "It.")]).format(), written)
        #expect(again.value == lamp && again.reasons.isEmpty)
    }

    @Test func absentKeyIsTheDefaultAndIsNotWritten() {
        #expect(read(Lamp.format, #"{ "name": "Desk" }"#).value == Lamp(name: "Desk"))
        #expect(read(Lamp.format, #""Desk""#).value == Lamp(name: "Desk"))
        #expect(Lamp.format.write(Lamp(name: "Desk", room: "Office")).members.map(\.key) == ["name", "room"])
    }

    @Test func allErrorsAreReportedAtOnce() {
        let (lamp, reasons) = read(Lamp.format, #"{ "watts": 500, "rom": "Office", "tags": [true] }"#)
        #expect(lamp == nil)
        #expect(
            reasons == [
                "f:1:1: the lamp has no name; write one",
                "f:1:12: watts: 500 is out of range; write a whole number from 1 to 100",
                "f:1:17: rom: unknown key; write \"room\"",
                "f:1:43: tags[0]: true is not text; put it in quotes",
            ]
        )
    }

    @Test func objectWithSeveralCasesCombinesThem() {
        let format = Rule.choice.format()
        #expect(
            read(format, #"{ "at": "7", "not": { "at": "8", "every": "day" } }"#).value
                == .all([.at("7", every: nil), .not(.at("8", every: "day"))])
        )
        #expect(read(format, "{}").reasons == ["f:1:1: the rule says nothing"])
        #expect(format.write(.not(.at("8", every: nil))).members.map(\.key) == ["not"])
    }

    @Test func aSchemaHasEveryKeyAndEveryDefinition() throws {
        let text = Rule.choice.format().defined(as: "rule").schema.fileContents(title: "Rules", "The rules of a lamp.")
        let schema = try #require(try JSONValue(parsing: text).object)
        #expect(schema["$ref"]?.string == "#/$defs/rule")
        let rule = try #require(schema["$defs"]?.object?["rule"]?.object)
        #expect(rule["properties"]?.object?.members.map(\.key) == ["at", "every", "not"])
        #expect(rule["additionalProperties"]?.bool == false)
    }
}
