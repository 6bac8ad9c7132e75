import AccessoryModel
import Documents
import Foundation
import HAPCore
import Simulation
import TestSupport
import Testing

@testable import AccessoryFiles

@Suite
struct DefinitionMeaningTests {
    @Test
    func referenceExamplesAreRead() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/definitions.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let blocks = text.split(separator: "```yaml\n").dropFirst().compactMap { $0.split(separator: "\n```").first }
        let examples = blocks.filter { $0.contains("accessory:") }
        #expect(examples.count >= 2)
        for example in examples {
            let lock = Array("accessory: Front Door\nservices: [{ type: LockMechanism }]".utf8)
            let reading = try AccessoryFile.read(Array(example.utf8), name: "example.yaml") { _ in lock }
            #expect(reading.warnings.isEmpty)
        }
    }

    @Test
    func jsonAndYAMLReadTheSame() throws {
        let json = """
            {
              "$schema": "accessory.schema.json",
              "accessory": "L\\u00e4mpchen \\ud83d\\ude00",
              "services": [{"type":"Lightbulb","characteristics":{"On":true,"Brightness":5e1}}]
            }
            """
        let yaml =
            "accessory: Lämpchen 😀\nservices: [{ type: Lightbulb, characteristics: { On: true, Brightness: 50 } }]"
        let fromJSON = try AccessoryFile.read(Array(json.utf8), name: "a.json")
        #expect(fromJSON.kind == .json)
        #expect(fromJSON.document == (try AccessoryFile.read(Array(yaml.utf8), name: "a.yaml").document))
        #expect(
            diagnostics("{\"accessory\": \"A\", \"accessory\": \"B\", \"services\": []}", name: "a.json") == [
                "a.json:1:20: accessory: this key occurs twice; remove one of them"
            ]
        )
        #expect(
            diagnostics("{\"accessory\": A}", name: "a.json") == [
                "a.json:1:15: this is not JSON: \"A\" is not a value; put it in double quotes"
            ]
        )
        for text in [
            "{", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{\"a\":[1 2]}", "{\"a\":1 2}", "{\"a\":\"", "{\"a\":\"\n\"}",
            "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}", "{} {}",
        ] {
            let found = diagnostics(text, name: "a.json")
            #expect(found.count == 1 && found[0].contains("this is not JSON: ") && found[0].contains("; "), "\(found)")
        }
        #expect(try read("{ accessory: A, services: [{ type: Switch }] }").name == "A")
    }

    @Test
    func diagnosticsNameTheIncludedFile() {
        let text = """
            bridge: House
            accessories:
              - include: rooms/lamp.yaml
              - include: rooms/lamp.yaml
                name: Other
                id: other
              - include: bridge.yaml
              - include: gone.yaml
            """
        let files = [
            "rooms/lamp.yaml": "accessory: Lamp\nsetupCode: 031-45-154\nservices:\n  - type: Lamp\n",
            "bridge.yaml": "bridge: B\naccessories: []\n",
        ]
        #expect(
            diagnostics(text, name: "floors/house.yaml", files) == [
                "floors/house.yaml:8:14: accessories[3].include: \"gone.yaml\" cannot be read; name a file in the "
                    + "folder of this one",
                "floors/rooms/lamp.yaml:4:11: services[0].type: there is no service \"Lamp\"; write Lightbulb",
                "floors/bridge.yaml:1:1: a bridge cannot be behind another bridge; include its accessories",
            ]
        )
    }

    @Test(arguments: [
        "root:SECRET:0\n", "SECRET: 1\nSECRET: 2\n", "a: *SECRET\n", "- SECRET\n", "SECRET", "a: !SECRET b\n",
        "{\"SECRET\" SECRET}", "{\"a\": SECRET}", "home: H\naccessories:\n  accessory: [\n  - SECRET\n",
        "SECRET:\n  accessory: SECRET\n", "\u{0}SECRET",
    ])
    func diagnosticsDoNotQuoteAnIncludedFileThatIsNoDefinition(text: String) {
        let found = diagnostics("bridge: B\naccessories:\n  - include: a.yaml\n", name: "b.yaml", ["a.yaml": text])
        #expect(
            found == [
                "b.yaml:3:14: accessories[0].include: \"a.yaml\" is not a definition; name a file that begins with "
                    + "\"accessory: NAME\""
            ]
        )
    }

    @Test(arguments: ["accessory: L\nservices: [\n", "{ \"accessory\": \"L\", \"Twice\": Twice ] }"])
    func unparsableDefinitionIsReportedWithItsLine(text: String) {
        let found = diagnostics("bridge: B\naccessories:\n  - include: a.yaml\n", name: "b.yaml", ["a.yaml": text])
        #expect(found.count == 1 && found[0].hasPrefix("a.yaml:"), "\(found)")
    }

    @Test
    func omittedValuesAreDerivedFromGivenOnes() throws {
        let document = try read(
            """
            accessory: Everything
            services:
              - type: LockMechanism
                characteristics: { LockTargetState: Secured }
              - type: Thermostat
                characteristics: { TargetHeatingCoolingState: Auto, TargetTemperature: 21, TargetRelativeHumidity: 40 }
              - type: WindowCovering
                characteristics: { CurrentPosition: 70 }
              - type: HeaterCooler
                characteristics: { TargetHeaterCoolerState: Heat }
              - type: StatelessProgrammableSwitch
            """
        )
        #expect(document.category == .lock)
        let services = document.accessories[0].services.dropFirst(2).map(\.characteristics)
        #expect(services[0].map(\.type) == [.lockTargetState, .lockCurrentState])
        #expect(services[0].map(\.value) == [1, 1])
        let thermostat = Dictionary(uniqueKeysWithValues: services[1].map { ($0.type, $0.value) })
        #expect(thermostat[.currentHeatingCoolingState] == 0)
        #expect(thermostat[.currentTemperature] == 21)
        #expect(thermostat[.currentRelativeHumidity] == 40)
        let covering = Dictionary(uniqueKeysWithValues: services[2].map { ($0.type, $0.value) })
        #expect(covering[.targetPosition] == 70)
        #expect(services[3].first { $0.type == .currentHeaterCoolerState }?.value == 0)
        #expect(services[4].map(\.value) == [nil])
    }

    @Test
    func addingAServiceKeepsTheKeyOfTheFirst() throws {
        let one = try read("accessory: A\nservices:\n  - { type: Switch, name: Left }\n")
        let two = try read(
            "accessory: A\nservices:\n  - { type: Switch, name: Left }\n  - { type: Switch, name: Right, linked: "
                + "[Left] }\n"
        )
        #expect(one.accessories[0].services[2] == two.accessories[0].services[2])
        #expect(two.accessories[0].services[3].key == ServiceKey(.switch, subtype: "Right"))
        #expect(two.accessories[0].services[3].linked == [ServiceKey(.switch)])
    }

    @Test
    func aliasesResolveToTheirTargets() throws {
        let document = try read(
            """
            accessory: A
            manufacturer: "*M&M*"
            services:
              - type: Lightbulb
                name: Left
                characteristics: &on { On: true }
              - { type: Lightbulb, name: Right, characteristics: *on }
            """
        )
        let services = document.accessories[0].services
        #expect(services[0].characteristics.first { $0.type == .manufacturer }?.value == "*M&M*")
        #expect(services[3].characteristics.first { $0.type == .on }?.value == true)
    }

    @Test
    func valuesAreReadInHumanNotation() throws {
        func lamp(_ values: String) throws -> AccessoryDocument {
            try read("accessory: A\nservices: [{ type: Lightbulb, characteristics: { \(values) } }]")
        }
        let spoken = "On: on, Brightness: 50 %, Hue: '120', Saturation: { value: 40%, validValues: [ 40%, 50 ] }"
        let plain = "On: true, Brightness: 50, Hue: 120, Saturation: { value: 40, validValues: [40, 50] }"
        #expect(try lamp(spoken) == lamp(plain))
        let bytes = try AccessoryFile.write(lamp(spoken), as: .yaml, name: "lamp.yaml").bytes
        #expect(String(decoding: bytes, as: UTF8.self).contains("On: true"))
    }

    @Test
    func aValueBetweenTwoStepsIsAWarning() throws {
        let text = "accessory: A\nservices: [{ type: Thermostat, characteristics: { TargetTemperature: 21.57 } }]"
        let reading = try AccessoryFile.read(Array(text.utf8), name: "a.yaml")
        #expect(
            reading.warnings.map(\.description) == [
                "a.yaml:2:70: services[0].characteristics.TargetTemperature: "
                    + "21.57 is between two steps of 0.1 and is served as 21.6; write that"
            ]
        )
    }

    @Test(
        arguments: [
            ("250ms", Duration.milliseconds(250)), ("12s", .seconds(12)), ("5min", .seconds(300)),
            ("1h", .seconds(3_600)),
            ("0s", .zero), ("90s", .seconds(90)), ("1.5s", .milliseconds(1_500)), ("1ms", .milliseconds(1)),
            ("1d", .seconds(86_400)), ("14d", .seconds(14 * 86_400)), ("0.5d", .seconds(43_200)),
        ]
    )
    func durationsAreReadAndWritten(text: String, duration: Duration) {
        #expect(DurationText.read(text) == duration)
        #expect(DurationText.write(duration).flatMap(DurationText.read) == duration)
    }

    @Test(arguments: [
        (Duration.seconds(86_400), "24h"), (.seconds(90_000), "25h"), (.seconds(172_800), "2d"),
    ])
    func durationsOfMoreThanADayAreWrittenInWholeDays(duration: Duration, text: String) {
        #expect(DurationText.write(duration) == text)
    }

    @Test(arguments: ["", "12", "s", "-1s", "1.s", ".5s", "1..5s", "1e3s", "12 s", "1w", "9999999999999999h"])
    func otherTextsAreNotDurations(text: String) {
        #expect(DurationText.read(text) == nil)
    }

    @Test(arguments: ["0", "-1", "1.5", "1e3", ".5", "1.", "+7", "18446744073709551615", "-9223372036854775808"])
    func numbersAreExact(text: String) {
        #expect(JSONNumber(decimal: text)?.double == Double(text))
        #expect(JSONNumber(decimal: "18446744073709551615") == .unsigned(.max))
    }

    @Test(arguments: ["", "-", ".", "1_000", "0x1F", "010", "1e", "e3", "1:30", "1.2.3", "NaN", "inf", "1e999", " 1"])
    func otherTextsAreNotNumbers(text: String) {
        #expect(JSONNumber(decimal: text) == nil)
    }

    @Test(arguments: [
        ("Lightblub", "Lightbulb"), ("garagedoor", nil), ("order", nil), ("Swich", "Switch"),
        ("fanv3", "Fanv2"), ("x", nil),
    ])
    func theNearestNameIsFound(text: String, nearest: String?) {
        #expect(SpellingSuggester.nearest(to: text, among: Catalog.services.map(\.id)) == nearest)
    }

    @Test
    func everyModelParameterIsReadBack() throws {
        for model in SimulationCatalog.models {
            #expect(model.model().arguments == [:])
            for parameter in model.parameters {
                let argument: SimulationArgument =
                    switch parameter.kind {
                    case .duration, .durationOrCharacteristic: .duration(.milliseconds(1_234))
                    case .number(let range): .number((range.lowerBound + range.upperBound) / 3)
                    case .integer(let range): .number(Double(range.upperBound))
                    case .flag: .flag(parameter.defaultValue != .flag(true))
                    case .choice(let words): .choice(words.last ?? "")
                    }
                #expect(model.model([parameter.name: argument]).arguments == [parameter.name: argument])
            }
        }
    }

    @Test
    func aBridgeOf149AccessoriesIsReadFast() throws {
        let bytes = Array(Self.bridge.utf8)
        var least = Double.infinity
        for _ in 0..<5 {
            let time = ThreadTime()
            _ = try AccessoryFile.read(bytes, name: "bridge.yaml")
            least = min(least, time.seconds)
        }
        #if DEBUG
        #expect(least < 10 * Double(Slowdown.factor))
        #else
        #expect(least < 0.15 * Double(Slowdown.factor))
        #endif
    }

    /// A bridge with 149 accessories, each with a door and a light.
    private static var bridge: String {
        var text = "bridge: House\naccessories:\n"
        for number in 0..<149 {
            text += "  - accessory: Accessory \(number)\n    manufacturer: Kilgo Devices, Inc.\n    services:\n"
            let garage = DefinitionReaderTests.garage.split(separator: "\n").drop { $0 != "services:" }.dropFirst()
            text += garage.map { "    \($0)\n" }.joined()
        }
        return text
    }

    private func read(_ text: String) throws -> AccessoryDocument {
        try AccessoryFile.read(Array(text.utf8), name: "test.yaml").document
    }

    private func diagnostics(_ text: String, name: String, _ files: [String: String] = [:]) -> [String] {
        do throws(DocumentError) {
            _ = try AccessoryFile.read(Array(text.utf8), name: name) { files[$0].map { Array($0.utf8) } }
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }
}
