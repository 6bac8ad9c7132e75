import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import AccessoryFiles
@testable import Documents

@Suite
struct DefinitionHostilityTests {
    /// Hostile files, each with a part of the expected error; a file is cut after 1 MiB.
    private static let texts: [(name: String, text: String, reason: String)] = [
        ("brackets", String(repeating: "[", count: 1 << 20), "nested deeper than the limit"),
        ("brackets of a value", "a: " + String(repeating: "[", count: 1 << 20), "more than 64 deep"),
        ("braces", String(repeating: "{", count: 1 << 20), "more than 64 deep"),
        ("keys of braces", String(repeating: "{a: ", count: 1 << 18), "more than 64 deep"),
        ("closed brackets in texts", "a: " + String(repeating: "[\"]\", ", count: 1 << 17), "nesting"),
        ("indicators", String(repeating: "- ", count: 1 << 19), "indented by more than 200"),
        ("explicit keys", String(repeating: "? ", count: 1 << 19), "indented by more than 200"),
        ("explicit values", String(repeating: ": ", count: 1 << 19), "indented by more than 200"),
        ("spaces", String(repeating: " ", count: 1 << 20), "indented by more than 200"),
        ("lines", String(repeating: "\n", count: 1 << 20), "empty"),
        ("comments", String(repeating: "# comment\n", count: 100_000), "empty"),
        ("directives", String(repeating: "%TAG !a! x\n", count: 90_000), "directive"),
        ("entries", String(repeating: "-\n", count: 1 << 19), "more than 100000 values"),
        ("short entries", "a: [" + String(repeating: ",", count: 1 << 19), "node content"),
        ("pairs", (0..<90_000).map { "k\($0): \n" }.joined(), "more than 100000 values"),
        ("equal pairs", String(repeating: "k: \n", count: 1 << 18), "occurs twice"),
        ("one long text", "a: " + String(repeating: "x", count: (1 << 20) - 3), "unknown key"),
        ("one long quoted text", "a: \"" + String(repeating: "x", count: (1 << 20) - 5) + "\"", "unknown key"),
        ("one long literal", "a: |\n " + String(repeating: "x\n ", count: 300_000), "unknown key"),
        ("an open quote", "a: \"" + String(repeating: "x", count: (1 << 20) - 4), "end of stream"),
        ("tags", String(repeating: "- !a b\n", count: 90_000), "is not allowed"),
        ("anchors", (0..<70_000).map { "- &a\($0) x\n" }.joined(), "map is expected"),
        ("equal anchors", String(repeating: "- &a x\n", count: 90_000), "map is expected"),
        ("unknown aliases", String(repeating: "- *a\n", count: 90_000), "there is no anchor &a"),
        ("asterisks", String(repeating: "*", count: 1 << 20), "there is no anchor"),
        ("exponential aliases", billionLaughs("- "), "counting the content of aliases"),
        ("exponential aliases in keys", billionLaughs("? "), "counting the content of aliases"),
        ("combining marks", "a: " + String(repeating: "\u{301}\u{316}", count: 200_000), "combining marks"),
        ("marks as escapes", combiningMarks(as: "\\u0301\\u0316", "a: \"", "\""), "combining marks"),
        ("keys of marks as escapes", combiningMarks(as: "\\u0301\\u0316", "? \"", "\"\n: x"), "combining marks"),
        ("marks as long escapes", combiningMarks(as: "\\U00000301\\U00000316", "? \"", "\"\n: x"), "combining marks"),
        ("marks in many lines", combiningMarks(as: "\\u0301\\\n \\u0316\\\n\t", "? \"", "\"\n: x"), "combining marks"),
        ("marks in tags", combiningMarks(as: "%CC%81%CC%96", "? !", " a\n: x"), "combining marks"),
        ("marks of two marks", "? \"" + String(repeating: "\u{F73}", count: 300_000) + "\"\n: x", "combining marks"),
        ("json keys of marks as escapes", combiningMarks(as: "\\u0301\\u0316", "{\"", "\": 1}"), "combining marks"),
        ("json keys of surrogates", combiningMarks(as: "\\uD834\\uDD65\\uD834\\uDD6D", "{\"", "\": 1}"), "not YAML"),
        ("anchors and unknown aliases", anchorsAndAliases, "there is no anchor &b0"),
        ("unknown links", links, "has no service \"l0\""),
        ("links of too many services", manyLinks, "8002 services are too many"),
        ("two documents", "accessory: A\n---\naccessory: B\n", "a second document"),
        ("a zero byte", "accessory: A\0", "zero byte"),
        ("control characters", "accessory: \u{1}", "control characters"),
        ("misspelled keys", (0..<45_000).map { "servces\($0): 1\n" }.joined(), "there are more errors"),
        ("services of one accessory", services(30_000), "too many"),
        ("json arrays", "{\"a\":" + String(repeating: "[", count: 1 << 20), "more than 64 deep"),
        ("json values", "{\"a\":[" + String(repeating: "0,", count: 1 << 18) + "0]}", "more than 100000 values"),
        ("json keys", "{" + (0..<90_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}", "more than 100000 values"),
        ("json text", "{\"a\":\"" + String(repeating: "\\u00e9", count: 170_000) + "\"}", "unknown key"),
    ]

    @Test(arguments: texts.indices)
    func hostileTextsAreRefusedWithinASecond(number: Int) throws {
        let (name, text, reason) = Self.texts[number]
        var bytes = Array(text.utf8)
        if bytes.count > 1 << 20 { bytes.removeSubrange((1 << 20)...) }
        let (diagnostics, seconds) = measure(bytes)
        #expect(
            diagnostics.contains { $0.description.contains(reason) },
            "\(name): \(diagnostics.first?.description ?? "")"
        )
        #expect(seconds < Self.timeLimit * Double(Slowdown.factor), "\(name) took \(seconds) s")
    }

    /// The error is reported although more than a thousand warnings precede it.
    @Test
    func warningsNeverHideAnError() throws {
        let unusual = (0..<1_100)
            .map { number in
                let digits = String(10_000 + number)
                return
                    "      C\(number): { type: 0A1B2C3D-0000-1000-8000-0000000\(digits), format: float, step: 1, "
                    + "value: 0.5 }\n"
            }
            .joined()
        let text =
            "accessory: A\nservices:\n  - type: 0A1B2C3D-0000-1000-8000-001122334455\n    characteristics:\n" + unusual
        let warnings = try AccessoryFile.read(Array(text.utf8), name: "test.yaml").warnings
        #expect(warnings.count == 4)
        #expect(warnings.last?.reason.hasPrefix("… and 1097 more like it: ") == true)
        let diagnostics = measure(Array((text + "  - type: Swich\n").utf8)).diagnostics
        #expect(
            diagnostics.filter { $0.severity == .error }.map(\.description) == [
                "test.yaml:1105:11: services[1].type: there is no service \"Swich\"; write Switch"
            ]
        )
    }

    /// A dump or an export may contain such a service.
    @Test
    func aServiceOfThousandsOfCharacteristicsIsWrittenFast() {
        var document = AccessoryDocument.garage
        document.accessories[0].services[3].characteristics += (0..<10_000)
            .map { number in
                Characteristic(
                    type: CharacteristicType(HAPUUID(high: 1, low: UInt64(number))),
                    permissions: .read,
                    metadata: CharacteristicMetadata(format: .int),
                    description: "C\(number)",
                    value: 1
                )
            }
        let time = ThreadTime()
        // The definition may be too large to be read again, and then it is not written.
        _ = try? AccessoryFile.write(document, as: .yaml, name: "test")
        #expect(time.seconds < Self.timeLimit * Double(Slowdown.factor))
    }

    @Test(arguments: ["      X%: 1\n", "      X%: { wrong: 1 }\n"])
    func namesAfterTheMaximumOfErrorsAreNotCompared(line: String) throws {
        func budget(_ count: Int) throws -> Int {
            var session = DefinitionAssembler()
            let lines = (0..<count).map { line.replacing("%", with: "\(100_000 + $0)") }.joined()
            let text = "accessory: A\nservices:\n  - type: Switch\n    characteristics:\n\(lines)"
            let root = try #require(DefinitionReader.compose(Array(text.utf8), in: "f", &session.reader.diagnostics))
            #expect(session.document(root.root, { _ in nil }) == nil)
            return session.reader.diagnostics.spelling.budget
        }
        let least = try budget(DiagnosticCollector.maximum + 1)
        #expect(try budget(15_000) == least)
        #expect(least > 0)
    }

    @Test
    func nonTextInputIsRefused() {
        #expect(
            measure([0xFF, 0xFE, 0x41, 0x00]).diagnostics.map(\.description) == [
                "test.yaml:1:1: the file is not UTF-8; save it as UTF-8"
            ]
        )
        #expect(
            measure(Array("a: é".utf8.dropLast())).diagnostics.map(\.position) == [TextPosition(line: 1, column: 4)]
        )
        let large = [UInt8](repeating: 0x61, count: (1 << 20) + 1)
        #expect(
            measure(large).diagnostics.map(\.reason) == [
                "the file has 1048577 bytes, but the limit is 1 MiB; divide it into several files"
            ]
        )
        #expect(measure([]).diagnostics.map(\.reason) == ["the file is empty; begin with \"accessory: NAME\""])
    }

    @Test
    func everyTruncatedDefinitionIsReadOrRefused() {
        let bytes = Array(DefinitionReaderTests.garage.utf8)
        for count in stride(from: 0, to: bytes.count, by: 3) {
            _ = measure(Array(bytes[..<count]))
        }
    }

    /// The time limit in seconds, which is longer in debug builds because they are not optimized.
    private static var timeLimit: Double {
        #if DEBUG
        10
        #else
        1
        #endif
    }

    private func measure(_ bytes: [UInt8]) -> (diagnostics: [Diagnostic], seconds: Double) {
        let time = ThreadTime()
        do throws(DocumentError) {
            _ = try AccessoryFile.read(bytes, name: "test.yaml")
            return ([], time.seconds)
        } catch {
            return (error.diagnostics, time.seconds)
        }
    }

    /// Returns nested lists, each of which is ten times the size of the one before.
    private static func billionLaughs(_ start: String) -> String {
        var text = "- &l0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<12 {
            let parts = Array(repeating: "*l\(level - 1)", count: 10).joined(separator: ", ")
            text += "- &l\(level) [\(parts)]\n"
        }
        return text + "- \(start)*l11\n" + "- ? [*l11, *l10]\n  : x\n- *l11\n"
    }

    /// Returns at most 1 MiB of combining marks of two classes, preceded by `start` and followed by `end`.
    private static func combiningMarks(as escapes: String, _ start: String, _ end: String) -> String {
        start + String(repeating: escapes, count: ((1 << 20) - 64) / escapes.utf8.count) + end + "\n"
    }

    private static let anchorsAndAliases =
        (0..<40_000).map { "- &a\($0) x\n" }.joined() + (0..<40_000).map { "- *b\($0)\n" }.joined()

    /// A definition with 100 services, each with 900 links to services that do not exist.
    private static let links =
        "accessory: A\nservices:\n"
        + (0..<100)
        .map { service in
            let names = (0..<900).map { "l\(900 * service + $0)" }.joined(separator: ", ")
            return "- { type: Fan, id: s\(service), linked: [\(names)] }\n"
        }
        .joined()

    private static let manyLinks =
        "accessory: A\nservices:\n" + (0..<8_000).map { "- { type: Fan, id: s\($0), linked: [a] }\n" }.joined()

    private static func services(_ count: Int) -> String {
        "accessory: A\nservices:\n" + String(repeating: "- type: Fan\n", count: count)
    }
}
